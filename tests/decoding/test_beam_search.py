import functools

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.decoding.tables import FIRST_WORD, Hypothesis, TableNetwork, all_hypotheses, beam, greedy
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.hypotheses import Hypotheses
from tfnmt.text.vocabulary import END

A, B = FIRST_WORD, FIRST_WORD + 1


def tab1() -> TableNetwork:
    """The table TAB1 of the field cases: from start END .5, a .45, b .05, and so on."""
    probabilities = np.full([1, 6**4, 6], 1e-30)
    network = TableNetwork(np.log(probabilities))

    def put(words: tuple[int, ...], end: float, a: float, b: float) -> None:
        probabilities[0, network.prefix(words), [END, A, B]] = end, a, b

    for first in (A, B):
        put((first,), 0.98, 0.01, 0.01)
        for second in (A, B):
            put((first, second), 0.98, 0.01, 0.01)
            for third in (A, B):
                put((first, second, third), 1.0, 1e-30, 1e-30)
    put((), 0.5, 0.45, 0.05)
    put((A,), 0.03, 0.95, 0.02)
    put((A, A), 0.95, 0.03, 0.02)
    return TableNetwork(np.log(probabilities))


@functools.cache
def compiled(search: BeamSearch, network: TableNetwork):
    """The search as it is used; most tests run it eagerly, since tracing costs more than these tiny searches."""

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, None], tf.int32),
            tf.TensorSpec([], tf.int32),
            tf.TensorSpec([], tf.int32),
        ]
    )
    def run(source_ids, beam_size, n_best):
        return search(network, source_ids, beam_size, n_best)

    return run


def run(
    search: BeamSearch,
    network: TableNetwork,
    sources: list[list[int]],
    beam_size: int,
    n_best: int,
    graph: bool = False,
) -> Hypotheses:
    longest = max(map(len, sources), default=0)
    ids = np.array([[*source, *[0] * (longest - len(source))] for source in sources], np.int32)
    ids = tf.constant(ids.reshape([len(sources), longest]))
    found = (compiled if graph else functools.partial)(search, network)(ids, beam_size, n_best)
    return Hypotheses(*(field.numpy() for field in found))


def listed(found: Hypotheses, sentence: int = 0) -> list[Hypothesis]:
    """The hypotheses of a sentence that are there."""
    return [
        Hypothesis(score, total, tuple(ids[:length].tolist()), bool(ended))
        for score, total, ids, length, ended in zip(
            found.scores[sentence],
            found.log_probabilities[sentence],
            found.ids[sentence],
            found.lengths[sentence],
            found.finished[sentence],
            strict=True,
        )
        if np.isfinite(score)
    ]


def assert_same(found: list[Hypothesis], expected: list[Hypothesis]) -> None:
    assert [(one.words, one.ended) for one in found] == [(one.words, one.ended) for one in expected]
    np.testing.assert_allclose([one[:2] for one in found], [one[:2] for one in expected], rtol=1e-5, atol=1e-5)


def exact_length(words: int, **options) -> BeamSearch:
    """A search whose limit is a number of words, whatever the source."""
    return BeamSearch(maximum_length_factor=0.0, maximum_length_constant=words, **options)


@pytest.mark.parametrize(
    ("exponent", "expected"),
    [
        (1.0, [Hypothesis(-0.3004, -0.9011, (A, A)), Hypothesis(-0.6931, -0.6931, ())]),
        (0.0, [Hypothesis(-0.6931, -0.6931, ()), Hypothesis(-0.9011, -0.9011, (A, A))]),
    ],
)
def test_a_longer_hypothesis_may_still_win_when_a_short_one_has_ended(exponent, expected):  # C46
    found = listed(run(exact_length(3, length_normalization=exponent), tab1(), [[FIRST_WORD]], 2, 2))
    assert [one.words for one in found] == [one.words for one in expected]
    np.testing.assert_allclose([one[:2] for one in found], [one[:2] for one in expected], atol=5e-5)


@pytest.mark.parametrize("exponent", [0.0, 0.6, 1.0, 2.0])
@pytest.mark.parametrize("seed", range(2))
def test_a_beam_wide_enough_finds_the_best_of_all(seed, exponent):
    network = TableNetwork.random(seed, words=2)
    search = exact_length(4, length_normalization=exponent, forbid_unknown=True)
    found = listed(run(search, network, [[FIRST_WORD]], 64, 10))
    assert_same(found, all_hypotheses(network, 4, exponent)[:10])


@pytest.mark.parametrize("exponent", [0.0, 1.0])
@pytest.mark.parametrize("sharpness", [1.0, 3.0])
def test_beam_one_is_greedy(exponent, sharpness):  # C53
    network = TableNetwork.random(5, words=6, tables=12, sharpness=sharpness)
    found = run(
        exact_length(7, length_normalization=exponent), network, [[FIRST_WORD + table] for table in range(12)], 1, 1
    )
    expected = [greedy(network, 7, exponent, table) for table in range(12)]
    assert {one.ended for one in expected} == {True, False}, "the tables should show both ways to end"
    for table in range(12):
        assert_same(listed(found, table), [expected[table]])


@pytest.mark.parametrize("exponent", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("size", [2, 5, 40])
def test_agrees_with_a_plain_search_that_never_stops_early(exponent, size):
    network = TableNetwork.random(6, words=7, tables=10)
    search = exact_length(6, length_normalization=exponent)
    found = run(search, network, [[FIRST_WORD + table] for table in range(10)], size, size)
    for table in range(10):
        assert_same(listed(found, table), beam(network, 6, exponent, size, table))


def test_a_batch_equals_its_sentences_one_by_one():  # C43, C44
    network = TableNetwork.random(7, words=9, tables=9)
    search = BeamSearch(maximum_length_factor=1.5, maximum_length_constant=2)
    random = np.random.default_rng(7)
    lengths = [1, 9, 2, 5, 0, 3, 1, 7, 0]
    sources = [[FIRST_WORD + table, *random.integers(4, 13, length)][:length] for table, length in enumerate(lengths)]
    for size in (1, 4):
        together = run(search, network, sources, size, size, graph=True)
        for row, source in enumerate(sources):
            alone = run(search, network, [source], size, size, graph=True)
            assert_same(listed(together, row), listed(alone))
            target = alone.weights.shape[2]
            np.testing.assert_allclose(
                together.weights[row, :, :target, : len(source)], alone.weights[0, :, :, : len(source)], atol=1e-6
            )
            assert not together.weights[row, :, target:].any()
            assert not together.weights[row, :, :, max(len(source), 1) :].any()


def test_scores_are_those_of_the_words_and_weights_follow_their_beam():  # C55
    network = TableNetwork.random(8, words=5)
    found = run(exact_length(8), network, [[FIRST_WORD, 5, 6, 7]], 6, 6)
    hypotheses = listed(found)
    assert len(hypotheses) > 1
    for place, one in enumerate(hypotheses):
        assert one.log_probability == pytest.approx(network.log_probability(one.words), abs=1e-5)
        assert one.score == pytest.approx(one.log_probability / (len(one.words) + 1), abs=1e-6)
        expected = [network.weights(one.words[:step], 4) for step in range(len(one.words) + 1)]
        np.testing.assert_allclose(found.weights[0, place, : len(one.words) + 1], expected, atol=1e-6)
        assert not found.weights[0, place, len(one.words) + 1 :].any()


def test_asking_for_more_does_not_change_the_best():  # C48
    network = TableNetwork.random(9, words=6, tables=8)
    sources = [[FIRST_WORD + table, 5] for table in range(8)]
    for exponent in (0.0, 1.0):
        search = BeamSearch(length_normalization=exponent)
        most = run(search, network, sources, 5, 5, graph=True)
        for n_best in range(1, 5):
            fewer = run(search, network, sources, 5, n_best, graph=True)
            for row in range(8):
                assert_same(listed(fewer, row), listed(most, row)[:n_best])
        assert (most.scores[:, :-1] >= most.scores[:, 1:]).all()


@pytest.mark.parametrize("size", [2, 5, 10, 100])
def test_a_beam_wider_than_the_vocabulary(size):  # C49, C50
    network = TableNetwork.random(10, words=2)
    found = listed(run(exact_length(3, forbid_unknown=True), network, [[FIRST_WORD]], size, size))
    assert len(found) == min(size, 15) or size < 15
    assert len({one.words for one in found}) == len(found) > 0
    assert all(set(one.words) <= {A, B} for one in found)


def test_control_symbols_are_never_produced_however_likely():
    network = TableNetwork.random(11, words=3)
    network.decoder.log_probabilities[:, :, :2] = -0.1  # pad and start
    network.decoder.log_probabilities[:, :, 3] = -0.5  # unknown
    allowed = listed(run(exact_length(5), network, [[FIRST_WORD]], 8, 8))
    banned = listed(run(exact_length(5, forbid_unknown=True), network, [[FIRST_WORD]], 8, 8))  # C59
    assert {0, 1, 2}.isdisjoint(word for one in allowed for word in one.words)
    assert any(3 in one.words for one in allowed)
    assert not any(3 in one.words for one in banned)
    assert len({one.words for one in banned}) == len(banned) > 1


def test_the_limit_follows_the_source_and_what_is_cut_is_marked():  # C57
    probabilities = np.full([1, 1, 6], 1e-4)
    probabilities[0, 0, A] = 1 - 5e-4  # repeats one word for ever
    network = TableNetwork(np.log(probabilities), np.zeros([1, 100]))
    search = BeamSearch(maximum_length_factor=1.5, maximum_length_constant=3)
    found = run(search, network, [[FIRST_WORD], [FIRST_WORD] * 60], 1, 1, graph=True)
    assert found.lengths.tolist() == [[2 + 3], [90 + 3]]
    assert not found.finished.any()
    words = (A,) * 5
    assert found.log_probabilities[0, 0] == pytest.approx(network.log_probability(words, ended=False), abs=1e-5)
    assert found.scores[0, 0] == pytest.approx(found.log_probabilities[0, 0] / 5)


def test_no_end_before_the_minimum():
    network = TableNetwork.random(12, words=2)
    network.decoder.log_probabilities[:, :, END] += 3.0
    normal = network.decoder.log_probabilities
    normal -= np.log(np.exp(normal).sum(-1, keepdims=True))
    search = BeamSearch(
        maximum_length_factor=1.0, maximum_length_constant=1, minimum_length_factor=0.5, forbid_unknown=True
    )
    found = listed(run(search, network, [[FIRST_WORD] * 5], 200, 6))
    assert_same(found, all_hypotheses(network, 6, 1.0, shortest=3)[:6])


def test_a_sentence_where_no_symbol_is_left_is_cut():
    network = TableNetwork.random(13, words=0)
    search = BeamSearch(minimum_length_factor=1.0, forbid_unknown=True)
    found = run(search, network, [[FIRST_WORD] * 2], 3, 1)
    assert found.lengths.tolist() == [[0]] and found.finished.tolist() == [[False]]
    assert found.scores.tolist() == [[0.0]]


def test_blank_rows_and_empty_batches():  # C09
    network = TableNetwork.random(14, words=4)
    blank = run(BeamSearch(), network, [[0, 0], [FIRST_WORD, 5], [0, 0]], 3, 2)
    assert blank.scores[[0, 2]].tolist() == [[0.0, -np.inf]] * 2
    assert blank.log_probabilities[[0, 2], 0].tolist() == [0.0, 0.0]
    assert blank.finished[[0, 2]].tolist() == [[True, False]] * 2
    assert blank.lengths[[0, 2]].tolist() == [[0, 0]] * 2
    assert_same(listed(blank, 1), listed(run(BeamSearch(), network, [[FIRST_WORD, 5]], 3, 2)))
    only_blank = run(BeamSearch(), network, [[0, 0, 0]], 3, 2)
    assert only_blank.ids.shape == (1, 2, 0) and only_blank.weights.shape == (1, 2, 1, 3)
    none = run(BeamSearch(), network, [], 3, 2)
    assert none.ids.shape[:2] == (0, 2)


def test_one_trace_serves_all_sizes():  # C90
    network = TableNetwork.random(15, words=4)
    search = BeamSearch()
    for length in range(1, 9):
        for size in (1, 3):
            run(search, network, [[FIRST_WORD] * length] * (1 + length % 3), size, 1, graph=True)
    assert compiled(search, network).experimental_get_tracing_count() == 1


@pytest.mark.parametrize(("beam_size", "n_best"), [(0, 0), (3, 0), (3, 4), (0, 1)])
def test_refuses_impossible_sizes(beam_size, n_best):
    with pytest.raises(tf.errors.InvalidArgumentError, match="n_best"):
        run(BeamSearch(), TableNetwork.random(16, words=2), [[FIRST_WORD]], beam_size, n_best)


def test_refuses_impossible_options():
    with pytest.raises(ValueError, match="must be 0 or more"):
        BeamSearch(length_normalization=-0.5)
    with pytest.raises(ValueError, match="not both 0"):
        BeamSearch(maximum_length_factor=0.0, maximum_length_constant=0)
    with pytest.raises(ValueError, match="no translation could end"):
        BeamSearch(maximum_length_factor=1.0, minimum_length_factor=1.5)


def test_survives_serialization():
    search = BeamSearch(0.6, 1.5, 7, 0.5, True)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(search))
    assert isinstance(again, BeamSearch)
    assert again.get_config() == search.get_config()
    assert again.length_normalization.exponent == 0.6
    assert list(search.get_config().values())[1:] == [1.5, 7, 0.5, True]
