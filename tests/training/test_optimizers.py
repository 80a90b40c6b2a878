"""Keras's optimizers against the papers' equations."""

from __future__ import annotations

import keras
import numpy as np


def test_adadelta_is_the_paper_s_with_rate_1() -> None:
    """Zeiler (2012), algorithm 1, with rho 0.95 and epsilon 1e-6 as in Bahdanau et al. (2015), appendix B.2."""
    rho, epsilon = 0.95, 1e-6
    random = np.random.default_rng(3)
    expected = random.normal(size=[4, 3])
    weight = keras.Variable(expected.astype(np.float32))
    optimizer = keras.optimizers.Adadelta(learning_rate=1.0, rho=rho, epsilon=epsilon)

    squared_gradients = squared_updates = np.zeros([4, 3])
    for _ in range(20):
        gradient = random.normal(size=[4, 3]) * 10.0 ** random.integers(-3, 2)
        squared_gradients = rho * squared_gradients + (1 - rho) * gradient**2
        update = -np.sqrt(squared_updates + epsilon) / np.sqrt(squared_gradients + epsilon) * gradient
        squared_updates = rho * squared_updates + (1 - rho) * update**2
        expected = expected + update
        optimizer.apply([gradient.astype(np.float32)], [weight])
    np.testing.assert_allclose(weight.numpy(), expected, rtol=2e-5, atol=1e-6)
