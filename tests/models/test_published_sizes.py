import keras
import numpy as np
import pytest

from tests import luong_twins, twins
from tests.layers.compared import assert_uniform
from tfnmt.layers.additive_score import AdditiveScore
from tfnmt.layers.fixed_context import FixedContext
from tfnmt.layers.general_score import GeneralScore
from tfnmt.layers.global_attention import GlobalAttention
from tfnmt.layers.local_attention import LocalAttention
from tfnmt.layers.maxout_readout import MaxoutReadout
from tfnmt.layers.softmax_output import SoftmaxOutput
from tfnmt.layers.window import PredictiveWindow
from tfnmt.models.bahdanau_decoder import BahdanauDecoder
from tfnmt.models.encoder_decoder import EncoderDecoder
from tfnmt.models.gated_encoder import BidirectionalEncoder, UnidirectionalEncoder
from tfnmt.models.luong_decoder import LuongDecoder
from tfnmt.models.stacked_encoder import StackedLSTMEncoder
from tfnmt.models.transformer_decoder import TransformerDecoder
from tfnmt.models.transformer_encoder import TransformerEncoder
from tfnmt.zoo import shelf

ROWS = 30_001  # 30,000 words and the end symbol, as in the authors' code


def published(encoder: type, attention: object, projection: int | None, rows: int = ROWS) -> EncoderDecoder:
    """The sizes of Bahdanau et al. (2015), appendix A.2.3; word vectors of zeros, which are quick to draw."""
    network = EncoderDecoder(
        encoder(rows, 620, 1000),
        BahdanauDecoder(rows, 620, 1000, attention, MaxoutReadout(500, projection=projection)),
        SoftmaxOutput(rows, kernel_initializer="zeros"),
    )
    for embedding in (network.encoder.embedding, network.decoder.embedding):
        embedding.initializer = keras.initializers.Zeros()
    network.build()
    return network


def test_rnnsearch_has_as_many_parameters_as_the_authors_network() -> None:  # K19
    assert published(BidirectionalEncoder, GlobalAttention(AdditiveScore(1000)), 620).count_params() == 84_349_101


def test_rnnsearch_with_one_output_matrix_has_as_many_as_the_paper_shows() -> None:  # K19
    assert published(BidirectionalEncoder, GlobalAttention(AdditiveScore(1000)), None).count_params() == 80_438_981


def test_rnnencdec_has_the_parameters_of_its_equations() -> None:
    n, m, maxout = 1000, 620, 500
    unit = 3 * (n * m + n * n) + n
    tables = 2 * (ROWS * m + m)
    decoder = unit + 3 * n * n + n * n + n
    readout = 2 * maxout * (n + m + n) + 2 * maxout + maxout * 620
    output = 620 * ROWS + ROWS
    found = published(UnidirectionalEncoder, FixedContext(), projection=620).count_params()
    assert found == tables + unit + decoder + readout + output


def test_rnnsearch_starts_as_in_the_paper() -> None:
    p = twins.letters_of_network(published(BidirectionalEncoder, GlobalAttention(AdditiveScore(1000)), 620, rows=4))
    encoder, decoder = p["encoder"], p["decoder"]
    for unit in (encoder["forward"], encoder["backward"], decoder["unit"]):
        for name in ("U_z", "U_r", "U"):
            np.testing.assert_allclose(unit[name] @ unit[name].T, np.eye(1000), atol=1e-4)
        for name in ("W_z", "W_r", "W"):
            assert np.std(unit[name]) == pytest.approx(0.01, rel=0.01)
        np.testing.assert_array_equal(unit["b"], np.zeros(1000))
    for matrix in (*(decoder["unit"][name] for name in ("C_z", "C_r", "C")), decoder["W_s"]):
        assert np.std(matrix) == pytest.approx(0.01, rel=0.01)
    for name in ("W_a", "U_a"):
        assert np.std(decoder["attention"][name]) == pytest.approx(0.001, rel=0.01)
    np.testing.assert_array_equal(decoder["attention"]["v_a"], np.zeros(1000))


def luong(source_rows: int, target_rows: int, units: int, initializer: object = None) -> EncoderDecoder:
    """Four layers, local-p with the general score and input feeding (Luong et al. 2015, section 4)."""
    network = EncoderDecoder(
        StackedLSTMEncoder(source_rows, units, units, kernel_initializer=initializer),
        LuongDecoder(
            target_rows,
            units,
            units,
            attention=LocalAttention(
                GeneralScore(kernel_initializer=initializer), PredictiveWindow(units, kernel_initializer=initializer)
            ),
            input_feeding=True,
            kernel_initializer=initializer,
        ),
        SoftmaxOutput(target_rows, bias=False, kernel_initializer=initializer),
    )
    network.build()
    return network


def test_luong_local_p_has_the_parameters_of_its_equations() -> None:  # K19
    assert luong(50_001, 50_002, 1000, "zeros").count_params() == 222_006_000


def test_luong_starts_as_in_the_paper() -> None:
    network = luong(70, 70, 70)
    for weight in (*network.encoder.weights, *network.decoder.weights):
        if weight is not network.decoder.attention.window.vector:  # too short to tell
            assert_uniform(weight)
    p = luong_twins.letters_of_network(luong(70, 70, 70, keras.initializers.RandomUniform(-0.1, 0.1, seed=1)))
    encoder, decoder = p["encoder"], p["decoder"]
    blocks = np.hsplit(decoder["W"][0], 3)
    matrices = [decoder["E"].T, *blocks, *decoder["W"][1:], *np.hsplit(decoder["W_c"], 2)]
    for independent in ([encoder["E"].T, *encoder["W"]], matrices):
        starts = [np.ravel(matrix.T)[:60] for matrix in independent]
        for place, start in enumerate(starts):
            assert not any(np.allclose(start, other) for other in starts[:place])


def transformer_parameters(words: int, units: int, layers: int, width: int, feed_forward: int) -> int:
    """By the shapes of the paper: one matrix of words, four of each attention, two with biases, gain and bias."""
    attention, inner, norm = 4 * units * width, 2 * units * feed_forward + feed_forward + units, 2 * units
    encoder, decoder = attention + inner + 2 * norm, 2 * attention + inner + 3 * norm
    return words * units + layers * (encoder + decoder)


def test_transformers_have_the_parameters_of_their_shapes() -> None:  # K19
    """Counted on a small network; the paper's sizes, 65M and 213M in its table 3, by the same shapes."""
    sizes = {"units": 12, "layers": 3, "heads": 2, "head_size": 5, "feed_forward_units": 7}
    network = EncoderDecoder(
        TransformerEncoder(20, **sizes),
        TransformerDecoder(20, **sizes),
        SoftmaxOutput(20, bias=False),
        share_target_embedding=True,
        share_source_embedding=True,
    )
    network.build()
    assert sum(int(np.prod(weight.shape)) for weight in network.trainable_variables) == transformer_parameters(
        20, 12, 3, 2 * 5, 7
    )
    found = {}
    for name in ("transformer_base", "transformer_big"):
        model = shelf.load(name).model
        parts = [
            (part.units, part.layers, part.heads * part.head_size, part.feed_forward_units)
            for part in (model.encoder, model.decoder)
        ]
        assert parts[0] == parts[1]
        found[name] = transformer_parameters(37_000, *parts[0])
    assert found["transformer_base"] == pytest.approx(63.0e6, abs=0.1e6)
    assert found["transformer_big"] == pytest.approx(214.2e6, abs=0.1e6)
