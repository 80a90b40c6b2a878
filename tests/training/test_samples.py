"""The sentences that are looked at while a model learns."""

from __future__ import annotations

from tests.decoding.tiny import ENGLISH, GERMAN, tiny_translator
from tfnmt.training.samples import Samples


def test_each_sentence_comes_with_its_translation_its_reference_and_its_alignment() -> None:
    translator = tiny_translator()
    samples = Samples(translator, ENGLISH, GERMAN)()
    assert [sample.source for sample in samples] == ENGLISH
    assert [sample.reference for sample in samples] == GERMAN
    assert [sample.hypothesis for sample in samples] == translator.translate(ENGLISH, beam_size=1)
    for sample in samples:
        assert len(sample.alignment.target_tokens) == sample.alignment.weights.shape[0]
