"""Weights that are kept smaller: what is left of a number, and that a whole model runs on what is left."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.export.conftest import SENTENCES, tiny_translator
from tfnmt.decoding.translator import Translator
from tfnmt.errors import UserError
from tfnmt.export import export_saved_model, load
from tfnmt.export.stored_weights import FORMS, StoredWeights, bfloat16, int8

MATRIX = np.random.default_rng(1).normal(size=(50, 33)).astype(np.float32) * np.logspace(-3, 3, 50)[:, None]


def test_half_of_the_bits_leave_eight_significant_ones() -> None:
    read = bfloat16(tf.constant(MATRIX, tf.float32))().numpy()
    assert np.all(np.abs(read - MATRIX) <= np.abs(MATRIX) * 2.0**-8) and np.any(read != MATRIX)


def test_a_row_is_whole_numbers_and_a_scale() -> None:
    read = int8(tf.constant(MATRIX, tf.float32))().numpy()
    steps = np.abs(MATRIX).max(axis=1, keepdims=True) / 127
    assert np.all(np.abs(read - MATRIX) <= steps * 0.5001)
    whole = read / steps
    np.testing.assert_allclose(whole, np.round(whole), atol=1e-3)
    assert np.abs(np.round(whole)).max(axis=1).tolist() == [127] * len(MATRIX)


def test_a_row_of_zeros_and_a_vector_stay_exact() -> None:
    np.testing.assert_array_equal(int8(tf.zeros([2, 3]))(), np.zeros([2, 3]))
    np.testing.assert_array_equal(int8(tf.constant(MATRIX[:, 0], tf.float32))(), MATRIX[:, 0].astype(np.float32))


@pytest.mark.parametrize("form", FORMS)
def test_a_function_computes_with_what_is_kept_and_the_model_stays_as_it_is(form: str) -> None:
    kernel = keras.Variable(MATRIX, dtype="float32")
    seed = keras.Variable([1, 2], dtype="int32")

    @tf.function(input_signature=[tf.TensorSpec([None, 50])])
    def product(inputs: tf.Tensor) -> tf.Tensor:
        return tf.matmul(inputs, tf.convert_to_tensor(kernel)) + tf.cast(seed[0], tf.float32)

    inputs = tf.constant(np.random.default_rng(2).normal(size=(4, 50)), tf.float32)
    before = product(inputs)
    stored = StoredWeights([kernel, seed], form).function(product)
    expected = inputs @ FORMS[form](tf.constant(MATRIX, tf.float32))() + 1.0
    np.testing.assert_allclose(stored(inputs), expected, rtol=1e-4, atol=1e-3)
    np.testing.assert_array_equal(product(inputs), before)
    kept = {variable.dtype for variable in stored.get_concrete_function().variables if variable.shape == kernel.shape}
    assert kept == {tf.as_dtype(form)}


def test_an_unknown_form_is_an_error_that_lists_the_known(translator: Translator, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="as float32, bfloat16, int8, not as 'int4'"):
        export_saved_model(translator, tmp_path, weights="int4")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(("form", "share"), [("bfloat16", 0.65), ("int8", 0.65)])
def test_an_export_answers_from_what_is_kept(form: str, share: float, tmp_path: Path) -> None:
    translator = tiny_translator()
    whole, small = (export_saved_model(translator, tmp_path / name, weights=name) for name in ("float32", form))
    sizes = [(path / "variables" / "variables.data-00000-of-00001").stat().st_size for path in (whole, small)]
    assert sizes[1] < share * sizes[0]
    export = load(small)
    scores = export.score(SENTENCES, translator.translate(SENTENCES))
    np.testing.assert_allclose(
        scores, translator.score(SENTENCES, translator.translate(SENTENCES)), rtol=0.05, atol=0.5
    )
    assert f"Weights are kept as\n{form}." in (small / "assets.extra" / "README.md").read_text(encoding="utf-8")
