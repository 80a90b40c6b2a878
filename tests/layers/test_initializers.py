import keras
import numpy as np
import pytest

from tfnmt.layers.initializers import BlockInitializer, fresh

NORMAL = keras.initializers.RandomNormal(stddev=0.01)


def test_a_keras_initializer_draws_the_same_twice_and_a_fresh_one_does_not() -> None:
    first = NORMAL((3, 4)).numpy()
    np.testing.assert_array_equal(NORMAL((3, 4)), first)
    assert np.all(fresh(NORMAL)((3, 4)) != first)


def test_fresh_copies_keep_the_settings() -> None:
    assert np.std(fresh(NORMAL)((300, 300))) == pytest.approx(0.01, rel=0.02)
    np.testing.assert_array_equal(fresh(keras.initializers.Constant(7.0))((2,)), [7, 7])


def test_seeded_copies_repeat_and_differ_from_each_other() -> None:
    seeded = keras.initializers.RandomNormal(seed=1)
    draws = [fresh(seeded, offset)((50,)).numpy() for offset in range(4)]
    for offset, draw in enumerate(draws):
        np.testing.assert_array_equal(fresh(seeded, offset)((50,)), draw)
        assert not any(np.any(np.isin(draw, other)) for other in draws[:offset])


def test_every_block_is_drawn_on_its_own() -> None:
    kernel = BlockInitializer("orthogonal", 3)((8, 24))
    blocks = np.split(np.asarray(kernel), 3, axis=1)
    for block in blocks:
        np.testing.assert_allclose(block @ block.T, np.eye(8), atol=1e-5)
    assert not np.allclose(blocks[0], blocks[1])
    assert not np.allclose(blocks[1], blocks[2])


def test_blocks_must_fit() -> None:
    with pytest.raises(ValueError, match="10 columns cannot be cut into 3 equal blocks"):
        BlockInitializer("zeros", 3)((2, 10))


def test_survives_keras_serialization() -> None:
    initializer = BlockInitializer(keras.initializers.RandomNormal(stddev=0.5, seed=3), 2)
    again = keras.initializers.deserialize(keras.initializers.serialize(initializer))
    assert isinstance(again, BlockInitializer)
    np.testing.assert_array_equal(again((2, 4)), initializer((2, 4)))


def test_seeded_copies_of_copies_differ_too() -> None:
    seeded = keras.initializers.RandomNormal(seed=1)
    units = [BlockInitializer(fresh(seeded, offset), 3)((2, 6)).numpy() for offset in range(3)]
    matrices = [matrix for unit in units for matrix in np.split(unit, 3, axis=1)]
    for place, matrix in enumerate(matrices):
        assert not any(np.allclose(matrix, other) for other in matrices[:place])
