import numpy as np
import tensorflow as tf

from tfnmt.models.memory import Memory

MEMORY = Memory(
    annotations=np.ones([2, 3, 4], "float32"),
    mask=np.array([[True, True, False], [True, False, False]]),
    summary={"cell": np.ones([2, 5], "float32")},
    words=np.array([1, 0], "int32"),
)


def test_crosses_the_border_of_a_graph_whole() -> None:
    @tf.function
    def prepare(memory: Memory) -> Memory:
        assert isinstance(memory, Memory)
        return memory._replace(keys=(memory.annotations + 1,))

    prepared = prepare(tf.nest.map_structure(tf.constant, MEMORY))
    assert isinstance(prepared, Memory)
    np.testing.assert_array_equal(prepared.keys[0], 2 * MEMORY.annotations)
    np.testing.assert_array_equal(prepared.summary["cell"], MEMORY.summary["cell"])


def test_has_no_keys_before_a_decoder_has_prepared_it() -> None:
    assert MEMORY.keys == ()
    assert len(tf.nest.flatten(MEMORY)) == 4


def test_attention_scores_the_annotations_unless_there_is_something_else() -> None:
    assert MEMORY.scored_annotations is MEMORY.annotations
    other = np.zeros([2, 3, 5], "float32")
    assert MEMORY._replace(scored=other).scored_annotations is other
