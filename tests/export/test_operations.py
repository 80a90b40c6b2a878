from __future__ import annotations

import tensorflow as tf
import tensorflow_text

from tfnmt.export.operations import beyond_core, operations


# C80: an operation is found wherever it hides: in a called function, in the body of a loop.
def test_operations_of_inner_functions_are_found(tmp_path):
    tokenizer = tensorflow_text.WhitespaceTokenizer()
    module = tf.Module()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def inner(strings):
        return tokenizer.tokenize(strings).to_tensor()[:, 0]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def outer(strings):
        return tf.while_loop(lambda _: tf.constant(True), lambda s: [inner(s)], [strings], maximum_iterations=2)

    module.outer = outer
    tf.saved_model.save(module, str(tmp_path))
    names = operations(tmp_path)
    assert beyond_core(names) == ["TFText>WhitespaceTokenizeWithOffsetsV2"]
    assert {"While", "StatelessWhile"} & names and "StridedSlice" in names
