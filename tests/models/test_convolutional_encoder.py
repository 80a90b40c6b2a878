import numpy as np

from tests.models.gehring_networks import SIZE, convolutional, network
from tests.models.networks import SOURCE_IDS


def test_one_stack_makes_what_is_scored_and_the_other_what_is_summed() -> None:
    encoder = network(convolutional()).encoder
    before = encoder(SOURCE_IDS)
    encoder.value_stack.kernels[0].assign(encoder.value_stack.kernels[0] + 1.0)
    after = encoder(SOURCE_IDS)
    np.testing.assert_array_equal(after.scored, before.scored)
    assert np.max(np.abs(after.annotations - before.annotations)) > 0.01


def test_knows_its_sizes() -> None:
    shape = convolutional().memory_shape
    assert shape.annotations == shape.scored == shape.scored_annotations == (None, None, SIZE)


def test_has_the_parameters_of_its_shapes() -> None:
    """Words and positions; two linear maps with biases; 3 convolutions of 5 and 2 of 4, 3 words wide, with biases."""
    encoder = network(convolutional()).encoder
    stacks = 3 * (3 * 5 * 5 + 5) + 2 * (3 * 4 * 4 + 4)
    assert encoder.count_params() == 12 * 4 + 6 * 4 + (4 * 5 + 5) + (5 * 4 + 4) + stacks
