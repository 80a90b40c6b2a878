"""One tiny translator and one export of it for every test of this folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import keras
import numpy as np
import pytest

from tests.export.stand_in import ModelServer
from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.translator import Translator
from tfnmt.export import ExportedTranslator, export_saved_model, load
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder
from tfnmt.text.lexicon import Lexicon
from tfnmt.text.tokenizer import Tokenizer
from tfnmt.text.word import WordTokenizer

BEAM_SIZE, N_BEST = 4, 3

SENTENCES = [
    "A dog runs.",
    "",
    'The "old" man said: It\'s ½ past — three!',
    "Zyx, größer als Ζευς 你好",
    " \t ",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 2,
]
TARGETS = ["Ein Hund läuft.", "", "Er sagte: Es ist halb drei!", "Zyx", "Hund", "Ein Mann sagte drei ."]


def tiny_translator(source: Tokenizer | None = None, lexicon: Lexicon | None = None) -> Translator:
    """A translator of real parts whose weights are drawn at random, large enough for its translations to differ."""
    source, target = source or WordTokenizer(language="en"), WordTokenizer(language="de")
    source.learn(SENTENCES, size=60)
    target.learn(TARGETS)
    decoder = BahdanauDecoder(
        target.vocabulary_size, 6, 8, attention=GlobalAttention(AdditiveScore(8)), readout=MaxoutReadout(4)
    )
    encoder = BidirectionalEncoder(source.vocabulary_size, 6, 8)
    network = EncoderDecoder(encoder, decoder, SoftmaxOutput(target.vocabulary_size))
    network.build()
    draw = np.random.default_rng(4)
    network.set_weights([draw.normal(scale=1.0, size=weight.shape) for weight in network.get_weights()])
    search = BeamSearch(maximum_length_factor=1.0, maximum_length_constant=4, minimum_length_factor=0.5)
    return Translator(source, target, network, search, lexicon, recipe='name = "tiny"\n')


@pytest.fixture(scope="session")
def translator() -> Translator:
    """A translator that has just been trained, by an optimizer whose rate leaves the drawn weights as they are."""
    translator = tiny_translator()
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    translator.network.compile(keras.optimizers.Adam(learning_rate=0.0), loss, run_eagerly=True)
    translator.network.fit((np.full((2, 3), 5), np.full((2, 2), 6)), np.full((2, 3), 6), verbose=0)
    return translator


@pytest.fixture(scope="session")
def base(translator: Translator, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory with the versions of an export that was moved after writing, its first place deleted."""
    first = tmp_path_factory.mktemp("run") / "translator"
    export_saved_model(translator, first, beam_size=BEAM_SIZE, n_best=N_BEST)
    second = tmp_path_factory.mktemp("server") / "translator"
    shutil.copytree(first, second)
    shutil.rmtree(first.parent)
    return second


@pytest.fixture(scope="session")
def export(base: Path) -> ExportedTranslator:
    return load(base)


@pytest.fixture(scope="session")
def model_server(export: ExportedTranslator) -> ModelServer:
    return ModelServer({1: export})
