import json

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.decoding.copy_network import S20, WORDS, CopyNetwork, copy_translator, random_lines
from tests.decoding.tiny import ENGLISH, GERMAN, tiny_translator
from tests.processes import python
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.translation import Translation
from tfnmt.decoding.translator import Translator
from tfnmt.errors import UserError
from tfnmt.text.lexicon import Lexicon
from tfnmt.text.unknown_words import AnyWord, LowerCaseWord
from tfnmt.text.vocabulary import Vocabulary

LINES = [*ENGLISH, "", "Zyx, größer als Ζευς 你好", " \t\u3000 ", "the " * 30, "park book man"]


@pytest.fixture(scope="module")
def copier() -> Translator:
    return copy_translator()


@pytest.fixture(scope="module")
def tiny() -> Translator:
    return tiny_translator()


@pytest.fixture(scope="module")
def tiny_of_subwords() -> Translator:
    return tiny_translator(subwords=True)


@pytest.mark.parametrize("beam_size", [1, 5])
def test_answers_in_the_order_of_the_input_one_for_one(copier, beam_size):  # C09, C12
    lines = random_lines([8, 1, 7, 2, 0, 6, 3, 5, 4] * 30)
    assert copier.translate(lines, beam_size=beam_size) == lines
    best = copier.translate(lines, beam_size=beam_size, n_best=1)
    assert [one[0].text for one in best] == lines


def test_blank_sentences_have_blank_translations(copier, tiny):  # C09
    for translator in (copier, tiny):
        lines = ["w1 w2", "", "   ", "\t", "\u2028\u3000", "w3"]
        answers = translator.translate(lines)
        assert answers[1:5] == [""] * 4
        assert [answers[0], answers[5]] == [translator.translate([line])[0] for line in ("w1 w2", "w3")]
        assert translator.translate([""], n_best=3) == [[Translation("", 0.0, 0.0, True)]]
        assert translator.translate([]) == translator.score([], []) == translator.align([]) == []
        assert np.isfinite(translator.score(["", "w1"], ["", ""])).all()


@pytest.mark.parametrize("kind", ["tiny", "tiny_of_subwords"])
def test_a_sentence_is_translated_the_same_in_any_company(kind, request):  # C43, C44
    translator = request.getfixturevalue(kind)
    for beam_size in (1, 5):
        together = translator.translate(LINES, beam_size=beam_size, n_best=beam_size)
        for size in (1, 2, 7):
            for start in range(0, len(LINES), size):
                some = translator.translate(LINES[start : start + size], beam_size=beam_size, n_best=beam_size)
                for expected, found in zip(together[start : start + size], some, strict=True):
                    assert [one.text for one in expected] == [one.text for one in found]
                    np.testing.assert_allclose([one.score for one in expected], [one.score for one in found], atol=1e-4)


def test_n_best_is_a_view(tiny):  # C48, C50
    one = tiny.translate(LINES, beam_size=5, n_best=1)
    five = tiny.translate(LINES, beam_size=5, n_best=5)
    assert [best[0].text for best in five] == [best[0].text for best in one] == tiny.translate(LINES)
    assert any(len(best) == 5 for best in five)
    for best in five:
        scores = [one.score for one in best]
        assert scores == sorted(scores, reverse=True) and np.isfinite(scores).all()


def test_a_score_is_that_of_re_scoring(tiny):
    translator = tiny_translator()
    translator.replace_unknown = False
    translator.search = BeamSearch(forbid_unknown=True)  # since "<unk>" read as text is no unknown word
    sources = [line for line in LINES if line.strip()]
    best = [one[0] for one in translator.translate(sources, n_best=1)]
    read_again = translator.target_tokenizer.split(tf.constant([one.text for one in best])).row_lengths().numpy()
    again = translator.score(sources, [one.text for one in best])
    compared = 0
    for one, score, length in zip(best, again, read_again, strict=True):
        if one.finished and one.score == pytest.approx(one.log_probability / (length + 1)):
            assert score == pytest.approx(one.log_probability, abs=1e-4)
            compared += 1
    assert compared >= 4


def test_scores_do_not_depend_on_longer_neighbours(tiny):  # C86
    pairs = [("A man", "Ein Mann"), ("Two dogs run in the park and sing.", "Zwei Hunde laufen im Park und er singt.")]
    together = tiny.score(*zip(*pairs, strict=True))
    alone = [tiny.score([source], [target])[0] for source, target in pairs]
    np.testing.assert_allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize("beam_size", [1, 5])
def test_unknown_words_are_copied_as_they_were_typed(copier, beam_size):  # C22
    assert copier.translate(["w1 Zyx w2", "Ζευς w3 <unk>"], beam_size=beam_size) == ["w1 Zyx w2", "Ζευς w3 <unk>"]
    plain = copy_translator(replace_unknown=False)
    assert plain.translate(["w1 Zyx w2"], beam_size=beam_size) == ["w1 <unk> w2"]
    with_lexicon = copy_translator(lexicon=Lexicon({"Zyx": "Zett", "w1": "no"}))
    assert with_lexicon.translate(["w1 Zyx Abc w2"], beam_size=beam_size) == ["w1 Zett Abc w2"]
    given_later = copy_translator().with_lexicon(Lexicon({"Abc": "Abece"}))
    assert given_later.translate(["w1 Zyx Abc w2"], beam_size=beam_size) == ["w1 Zyx Abece w2"]


def test_a_rule_says_what_the_lexicon_translates():  # C22
    translator = copy_translator(lexicon=Lexicon({"Zyx": "Zett", "zyx": "zett"}), unknown_rule=LowerCaseWord())
    assert translator.translate(["Zyx w1 zyx"]) == ["Zyx w1 zett"]
    assert translator.with_unknown_rule(AnyWord()).translate(["Zyx w1 zyx"]) == ["Zett w1 zett"]
    assert translator.without_replacement().translate(["Zyx w1 zyx"]) == ["<unk> w1 <unk>"]
    rule = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(translator.unknown_rule))
    assert isinstance(rule, LowerCaseWord)


def test_unknown_words_follow_the_shift_of_the_alignment():
    network = CopyNetwork(alignment_shift=1)  # the weights of a step belong to the word that it reads
    assert copy_translator(network).translate(["Abc w1 Zyx w2 Def"]) == ["Abc w1 Zyx w2 Def"]


def test_unknown_words_may_be_forbidden():  # C59
    banned = copy_translator(search=BeamSearch(forbid_unknown=True), replace_unknown=False)
    best = banned.translate(["w1 Zyx w2"], beam_size=5, n_best=5)[0]
    assert len({one.text for one in best}) == 5
    assert not any("<unk>" in one.text for one in best)


@pytest.mark.parametrize("beam_size", [1, 5])
def test_alignments_follow_their_words(copier, beam_size):  # C55
    for line, alignment in zip(S20, copier.align(S20, beam_size=beam_size), strict=True):
        assert list(alignment.target_tokens) == list(alignment.source_tokens) == line.split()
        np.testing.assert_allclose(alignment.weights, np.eye(len(line.split())))
    given = copier.align(S20, S20)
    for one, line in zip(given, S20, strict=True):
        assert list(one.target_tokens) == line.split()
        np.testing.assert_allclose(one.weights, np.eye(len(line.split())))


def test_long_inputs_are_translated_whole(copier, tiny):  # C57
    line = random_lines([300])[0]
    assert copier.translate([line, "w1"], beam_size=2) == [line, "w1"]
    answer = tiny.translate(["dog " * 1000], beam_size=2, n_best=1)[0][0]
    assert np.isfinite(answer.score)


def test_no_control_symbol_is_written(tiny, tiny_of_subwords):  # C52
    for best in tiny_of_subwords.translate(LINES, n_best=5) + tiny.translate(LINES, n_best=5):
        for one in best:
            assert one.text == one.text.strip()
            assert not any(symbol in one.text for symbol in ("<pad>", "<s>", "</s>", "\u2581"))


def test_dropout_is_off(tiny):  # C36
    first = tiny.translate(LINES, n_best=2)
    assert all(tiny.translate(LINES, n_best=2) == first for _ in range(3))
    assert tiny.score(ENGLISH, GERMAN) == tiny.score(ENGLISH, GERMAN)


def test_nothing_is_traced_twice():  # C90
    translator = copy_translator()
    for length in range(1, 30):
        translator.translate(random_lines([length, 1 + length % 4]), beam_size=1 + length % 3)
        translator.translate([""], n_best=1)
    assert translator.translate_graph.experimental_get_tracing_count() == 1


def test_calling_it_gives_the_best_translations(tiny):
    found = tiny(tf.constant(ENGLISH))
    assert [text.decode() for text in found.numpy()] == tiny.translate(ENGLISH)


_FRESH = """
import json, sys
import tfnmt, keras
lines, sources, targets = json.load(sys.stdin)
for path in sys.argv[1:]:
    translator = keras.saving.load_model(path)
    alignment = translator.align(sources[:1])[0]
    print(json.dumps([
        translator.translate(lines), translator.score(sources, targets), translator.recipe,
        translator.search.get_config(), translator.beam_size, alignment.target_tokens, alignment.weights.tolist(),
    ]))
"""


def test_a_saved_model_says_the_same_in_a_fresh_process(tmp_path):  # C72, C75, C91
    translators = {"words": tiny_translator(), "subwords": tiny_translator(subwords=True)}
    translators["words"].lexicon = Lexicon({"Zyx": "Zett"})
    translators["words"].search = BeamSearch(length_normalization=0.5, maximum_length_constant=3)
    paths = [tmp_path / f"{name}.keras" for name in translators]
    for path, translator in zip(paths, translators.values(), strict=True):
        translator.save(path)
    said = python("-c", _FRESH, *paths, text=json.dumps([LINES, ENGLISH, GERMAN])).output()
    for translator, line in zip(translators.values(), said.splitlines()[-2:], strict=True):
        translations, scores, recipe, search, beam_size, target_tokens, weights = json.loads(line)
        alignment = translator.align(ENGLISH[:1])[0]
        assert translations == translator.translate(LINES)
        np.testing.assert_allclose(scores, translator.score(ENGLISH, GERMAN), rtol=1e-6)
        assert (recipe, search, beam_size) == (translator.recipe, translator.search.get_config(), 5)
        assert target_tokens == list(alignment.target_tokens)
        np.testing.assert_allclose(weights, alignment.weights, atol=1e-6)


def test_says_what_is_wrong(copier):
    with pytest.raises(UserError, match=r"must be a list of strings, not one string"):
        copier.translate("w1")
    with pytest.raises(UserError, match=r"sentences\[1\] must be a string, not int: 7"):
        copier.translate(["w1", 7])
    with pytest.raises(UserError, match="beam_size must be 1 or more, not 0"):
        copier.translate(["w1"], beam_size=0)
    with pytest.raises(UserError, match=r"beam_size must be a whole number of 1 or more, not 2\.5"):
        copier.translate(["w1"], beam_size=2.5)
    with pytest.raises(UserError, match="n_best is 6, but the beam has only 5 places"):
        copier.translate(["w1"], n_best=6)
    with pytest.raises(UserError, match="2 sources and 1 targets"):
        copier.score(["w1", "w2"], ["w1"])
    with pytest.raises(UserError, match="2 sources and 1 targets"):
        copier.align(["w1", "w2"], ["w1"])


def test_refuses_a_tokenizer_of_another_model():  # C20
    translator = copy_translator()
    translator.source_tokenizer.use(Vocabulary(WORDS[:-1]))
    with pytest.raises(UserError, match="source tokenizer has a vocabulary of 23, the network was built for 24"):
        translator.translate(["w1"])


def test_lone_surrogates_and_odd_characters_do_not_crash(copier):
    assert len(copier.translate(["\ud800", "a\x00b", "a\nb", "\u200b", "\U0001f600"])) == 5


def test_a_seed_set_after_loading_is_explained() -> None:
    """TensorFlow forgets the word pieces when a seed is set; the error says so instead of naming a resource."""
    translator = tiny_translator(subwords=True)
    keras.utils.set_random_seed(1)
    with pytest.raises(UserError, match="set the seed first"):
        translator.translate(["A man sleeps."])
