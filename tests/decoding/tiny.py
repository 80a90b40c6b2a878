"""A real network and a real translator, as small as they can be, with weights drawn at random."""

from __future__ import annotations

import numpy as np

from tfnmt.decoding.beam_search import BeamSearch
from tfnmt.decoding.translator import Translator
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder
from tfnmt.text.subword import SubwordTokenizer
from tfnmt.text.word import WordTokenizer

ENGLISH = ["A man sleeps.", "Two dogs run in the park.", "The old man isn't here.", "She reads a book, he sings."]
GERMAN = ["Ein Mann schläft.", "Zwei Hunde laufen im Park.", "Der alte Mann ist nicht hier.", "Sie liest, er singt."]


def tiny_network(
    source_size: int, target_size: int, seed: int = 0, scale: float = 0.7, embedding_dropout: float = 0.5
) -> EncoderDecoder:
    """Random weights, large enough for what it writes to depend on what it reads."""
    decoder = BahdanauDecoder(
        target_size,
        8,
        10,
        attention=GlobalAttention(AdditiveScore(9)),
        readout=MaxoutReadout(7),
        embedding_dropout=embedding_dropout,
    )
    encoder = BidirectionalEncoder(source_size, 8, 10, embedding_dropout=embedding_dropout)
    network = EncoderDecoder(encoder, decoder, SoftmaxOutput(target_size))
    network.build()
    random = np.random.default_rng(seed)
    network.set_weights([random.normal(scale=scale, size=weight.shape) for weight in network.get_weights()])
    return network


def tiny_translator(subwords: bool = False, seed: int = 0) -> Translator:
    if subwords:
        source, target = SubwordTokenizer(), SubwordTokenizer()
        source.learn(ENGLISH, size=50)
        target.learn(GERMAN, size=50)
    else:
        source, target = WordTokenizer(language="en"), WordTokenizer(language="de")
        source.learn(ENGLISH)
        target.learn(GERMAN)
    network = tiny_network(source.vocabulary_size, target.vocabulary_size, seed)
    return Translator(source, target, network, BeamSearch(), recipe='name = "tiny"\n')
