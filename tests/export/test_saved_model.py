"""The export as its client: what a fresh process, a server and another runtime see."""

from __future__ import annotations

import json
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.export.conftest import BEAM_SIZE, N_BEST, SENTENCES, TARGETS, tiny_translator
from tests.processes import python
from tfnmt.errors import UserError
from tfnmt.export import export_saved_model, load
from tfnmt.export.operations import beyond_core, operations
from tfnmt.export.saved_model import EXTRA
from tfnmt.export.warm_up import read_requests
from tfnmt.text.lexicon import Lexicon
from tfnmt.text.subword import SubwordTokenizer

# Nothing of tfnmt, no run directory: TensorFlow and tensorflow-text only.
FRESH = """
import json, sys
import tensorflow as tf, tensorflow_text
model = tf.saved_model.load(sys.argv[1])
answer = model.signatures["serving_default"](sentences=tf.constant(json.loads(sys.argv[2])))
assert "tfnmt" not in sys.modules
print(json.dumps([text.decode() for text in answer["translation"].numpy()]))
"""


# C91: the same strings by every route.
def test_fresh_process_gives_the_same_strings(translator, base):
    said = python("-c", FRESH, base / "1", json.dumps(SENTENCES), cwd=base).output()
    translations = json.loads(said.splitlines()[-1])
    assert translations == translator.translate(SENTENCES, beam_size=BEAM_SIZE)
    assert len(set(translations)) > 2, "this translator says the same to everything: the test shows nothing"


# C77: raw strings, any number of them.
def test_serving_default_takes_any_number_of_strings(export):
    signature = export.signatures["serving_default"]
    (specification,) = signature.structured_input_signature[1].values()
    assert (specification.dtype, specification.shape.as_list()) == (tf.string, [None])
    outputs = signature.structured_outputs
    assert {name: (tensor.dtype, tensor.shape.rank) for name, tensor in outputs.items()} == {
        "translation": (tf.string, 1),
        "score": (tf.float32, 1),
    }
    for count in (0, 1, 5):
        answer = signature(sentences=tf.constant(SENTENCES[:count], tf.string))
        assert answer["translation"].shape == answer["score"].shape == [count]


# C87: the REST interface would answer in base64.
def test_no_output_name_ends_in_bytes(export):
    names = {name for function in export.signatures.values() for name in function.structured_outputs}
    assert names and not any(name.endswith("_bytes") for name in names)


# C83: dense outputs, batch first, rows as if alone.
def test_rows_of_a_batch_equal_single_calls(export):
    together = export.signatures["n_best"](sentences=tf.constant(SENTENCES))
    assert together["translations"].shape == together["scores"].shape == [len(SENTENCES), N_BEST]
    for row, sentence in enumerate(SENTENCES):
        alone = export.signatures["n_best"](sentences=tf.constant([sentence]))
        assert alone["translations"].numpy()[0].tolist() == together["translations"].numpy()[row].tolist()
        np.testing.assert_allclose(alone["scores"][0], together["scores"][row], rtol=1e-5)


# C48
def test_first_of_the_n_best_is_the_translation(export):
    assert [best[0].text for best in export.n_best(SENTENCES)] == export.translate(SENTENCES)


# C09
def test_blank_sentence_has_the_empty_translation_and_a_finite_score(export):
    answer = export.signatures["serving_default"](sentences=tf.constant(["A dog runs.", "", " \t "]))
    assert answer["translation"].numpy().tolist()[1:] == [b"", b""]
    assert answer["score"].numpy().tolist()[1:] == [0, 0]


def test_scores_are_those_of_the_translator(translator, export):
    np.testing.assert_allclose(export.score(SENTENCES, TARGETS), translator.score(SENTENCES, TARGETS), rtol=1e-5)
    # C86: alone and beside longer ones.
    for source, target, score in zip(SENTENCES, TARGETS, export.score(SENTENCES, TARGETS), strict=True):
        assert export.score([source], [target])[0] == pytest.approx(score, rel=1e-5)


@pytest.mark.parametrize("given", [True, False])
def test_alignments_are_those_of_the_translator(translator, export, given):
    found = export.align(SENTENCES, TARGETS if given else None)
    expected = translator.align(SENTENCES, TARGETS if given else None, beam_size=BEAM_SIZE)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.source_tokens == theirs.source_tokens and mine.target_tokens == theirs.target_tokens
        np.testing.assert_allclose(mine.weights, theirs.weights, atol=1e-5)
    assert found[0].source_tokens == ("A", "dog", "runs", ".")


# C80, C81: what a runtime must have is written down, and it is no GPU library.
def test_operations_beyond_tensorflow_are_listed_in_the_notes(base):
    names = operations(base / "1")
    needed = beyond_core(names)
    notes = (base / "1" / EXTRA / "README.md").read_text(encoding="utf-8")
    assert needed and all(f"`{name}`" in notes for name in needed)
    assert {name for name in names if "Cudnn" in name or "PyFunc" in name} == set()


# C76
def test_notes_say_which_file_is_for_what(base):
    notes = (base / "1" / EXTRA / "README.md").read_text(encoding="utf-8")
    assert "keras.models.load_model" in notes and "tfnmt.export.load" in notes
    assert f"beam of {BEAM_SIZE} places; `n_best` returns {N_BEST}" in notes
    with pytest.raises(ValueError):
        keras.models.load_model(base / "1")


def test_recipe_is_inside(translator, base):
    assert (base / "1" / EXTRA / "recipe.toml").read_text(encoding="utf-8") == translator.recipe


# C89: requests for every signature of this model, of one sentence and of a long one, that it can answer.
def test_warm_up_requests_run(base, export):
    requests = read_requests(base / "1" / EXTRA)
    assert {request.model_spec.name for request in requests} == {"translator"}
    shapes = {name: [] for name in export.signatures}
    for request in requests:
        inputs = {name: tf.make_ndarray(tensor).tolist() for name, tensor in request.inputs.items()}
        name = request.model_spec.signature_name
        shapes[name].append([len(text.split()) for text in next(iter(inputs.values()))])
        export.signatures[name](**{key: tf.constant(value) for key, value in inputs.items()})
    for lengths in shapes.values():
        assert [len(batch) for batch in lengths] == [1, 1, 3]
        assert lengths[0][0] < 10 and lengths[1][0] > 30


# C93: an export from the process that has trained holds each weight once, and nothing of the optimizer.
def test_weights_are_exported_once_and_no_optimizer(translator, base):
    assert translator.network.optimizer.variables, "nothing was trained: the test shows nothing"
    variables = tf.train.list_variables(str(base / "1" / "variables" / "variables"))
    shapes = [tuple(shape) for name, shape in variables if name.endswith("VARIABLE_VALUE")]
    assert sorted(shapes) == sorted(tuple(weight.shape) for weight in translator.network.weights)


# C93: the same from the file of another process.
@pytest.mark.slow
def test_export_of_a_loaded_file_gives_the_same_strings(translator, export, tmp_path):
    translator.save(tmp_path / "translator.keras")
    program = (
        "import sys, keras, tfnmt; from tfnmt.export import export_saved_model\n"
        f"export_saved_model(keras.models.load_model(sys.argv[1]), sys.argv[2], beam_size={BEAM_SIZE})"
    )
    python("-c", program, tmp_path / "translator.keras", tmp_path / "export").output()
    assert load(tmp_path / "export").translate(SENTENCES) == export.translate(SENTENCES)


@pytest.mark.slow
def test_word_pieces_and_a_lexicon_are_inside(tmp_path):
    translator = tiny_translator(SubwordTokenizer(), Lexicon({"dog": "Hund"}))
    path = export_saved_model(translator, tmp_path / "export")
    assert load(path).translate(SENTENCES) == translator.translate(SENTENCES)
    assert "`SentencepieceTokenizeOp`" in (path / EXTRA / "README.md").read_text(encoding="utf-8")


def test_candidate_lists_are_inside_and_each_sentence_has_its_own(tmp_path):  # C44
    lexicon = Lexicon({"dog": "Hund", "man": "Mann", "said": "sagte", "three": "drei"})
    translator = tiny_translator(lexicon=lexicon).with_candidates(6, 2)
    exported = load(export_saved_model(translator, tmp_path / "export", beam_size=BEAM_SIZE))
    together = exported.translate(SENTENCES)
    assert together == translator.translate(SENTENCES, beam_size=BEAM_SIZE)
    assert [exported.translate([sentence])[0] for sentence in SENTENCES] == together
    assert together != tiny_translator(lexicon=lexicon).translate(SENTENCES, beam_size=BEAM_SIZE)


def test_impossible_sizes_are_refused_before_anything_is_written(translator, tmp_path):
    for beam_size, n_best in ((0, 0), (2, 3), (2, 0)):
        with pytest.raises(UserError, match="cannot return"):
            export_saved_model(translator, tmp_path / "model", beam_size=beam_size, n_best=n_best)
    with pytest.raises(UserError, match="cannot be the version"):
        export_saved_model(translator, tmp_path / "model", version="latest")
    assert not (tmp_path / "model").exists()


def test_every_file_is_below_the_version(base: Path):
    assert {path.name for path in base.iterdir()} == {"1"}
    assert {"saved_model.pb", "variables", EXTRA} <= {path.name for path in (base / "1").iterdir()}
