import numpy as np
import pytest
import tensorflow as tf

from tests import twins
from tests.models.luong_networks import stacked
from tests.models.networks import SOURCE_VOCABULARY, TARGET_VOCABULARY
from tfnmt.decoding.alignment import Alignment, strongest_words, word_weights
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.forced import forced
from tfnmt.decoding.translator import Translator
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.location_score import LocationScore
from tfnmt.text.character import CharacterTokenizer
from tfnmt.text.vocabulary import UNKNOWN, Vocabulary

# Two sentences of 2 and 1 words with their end symbols, one hypothesis of two words and the end symbol for each.
STEPS = tf.constant(
    [
        [[[0.1, 0.2, 0.7], [0.5, 0.4, 0.1], [0.2, 0.3, 0.5]]],
        [[[0.4, 0.6, 0.0], [0.9, 0.1, 0.0], [0.3, 0.7, 0.0]]],
    ]
)
WORDS = tf.constant([2, 1])


def test_the_end_of_the_source_is_no_word():
    weights = word_weights(STEPS, WORDS, 0)
    np.testing.assert_allclose(weights, [[[[0.1, 0.2], [0.5, 0.4]]], [[[0.4, 0.0], [0.9, 0.0]]]])
    assert strongest_words(weights).numpy().tolist() == [[[1, 0]], [[0, 0]]]


def test_a_shift_takes_the_next_step():
    weights = word_weights(STEPS, WORDS, 1)
    np.testing.assert_allclose(weights, [[[[0.5, 0.4], [0.2, 0.3]]], [[[0.9, 0.0], [0.3, 0.0]]]])
    assert strongest_words(weights).numpy().tolist() == [[[0, 1]], [[0, 0]]]


def test_no_words_at_all():
    weights = word_weights(tf.zeros([1, 1, 1, 1]), tf.constant([0]), 0)
    assert weights.shape == (1, 1, 0, 0)
    assert strongest_words(word_weights(STEPS[:1], tf.constant([0]), 0)).numpy().tolist() == [[[-1, -1]]]


def test_an_alignment_fits_its_words():
    Alignment(("a", "b"), ("c",), np.zeros([1, 2], np.float32))
    with pytest.raises(ValueError, match=r"\(1, 2\) target and source words expected, not \(2, 1\)"):
        Alignment(("a", "b"), ("c",), np.zeros([2, 1], np.float32))


@pytest.mark.parametrize(
    ("score", "shift"), [(lambda: LocationScore(8), 0), (GeneralScore, 1)], ids=["location", "content"]
)
def test_an_unknown_word_is_replaced_by_the_step_that_aligns_it(score, shift):
    """Luong et al. (2015), footnote 14: location scores align the word to predict, others the word just read."""
    network = stacked(GlobalAttention(score()), input_feeding=True)
    twins.randomize(network, seed=1, scale=2.0)
    # All words are equally likely then, and the unknown one is the first among equals once an end is too early.
    network.output_layer.rows.assign(np.zeros(network.output_layer.rows.shape))
    tokenizers = CharacterTokenizer(), CharacterTokenizer()
    for tokenizer, size in zip(tokenizers, (SOURCE_VOCABULARY, TARGET_VOCABULARY), strict=True):
        tokenizer.use(Vocabulary("abcdefghijkl"[: size - 4]))
    search = BeamSearch(maximum_length_factor=1.0, maximum_length_constant=0, minimum_length_factor=1.0)
    translator = Translator(*tokenizers, network, search, beam_size=1)
    source = "dgbeca"
    (answer,) = translator.translate([source])

    unknown = tf.fill([1, len(source)], UNKNOWN)
    source_ids = tokenizers[0].tokenize([source]).to_tensor()
    steps = forced(network, source_ids, unknown).weights[0, 0].numpy()[:, : len(source)].argmax(axis=1)
    assert answer == "".join(source[position] for position in steps[shift : shift + len(source)])
    assert list(steps[:-1]) != list(steps[1:])  # the other rule would say something else
