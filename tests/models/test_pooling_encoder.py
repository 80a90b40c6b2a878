import numpy as np
import pytest

from tests.models.gehring_networks import network, pooling
from tests.models.networks import SOURCE_IDS


def test_the_mean_of_one_word_is_the_word() -> None:  # K14
    memory = network(pooling(width=1)).encoder(SOURCE_IDS)
    np.testing.assert_allclose(memory.scored[memory.mask], memory.annotations[memory.mask], atol=1e-6)


def test_means_are_scored_and_words_are_summed() -> None:
    encoder = network(pooling(width=3)).encoder
    memory = encoder(SOURCE_IDS[1:2])
    vectors = memory.annotations[0].numpy()
    np.testing.assert_allclose(memory.scored[0, 0], (vectors[0] + vectors[1]) / 3, atol=1e-6)
    np.testing.assert_allclose(memory.scored[0, 3], vectors[2:5].mean(axis=0), atol=1e-6)


def test_a_width_without_a_middle_is_refused() -> None:
    with pytest.raises(ValueError, match="must be odd, not 4"):
        pooling(width=4)
