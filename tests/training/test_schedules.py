"""Learning rates against the papers' formulas, and through Keras's saving."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest

from tests.training.stand_in import SmallNetwork
from tfnmt.training.schedules import HalveAfter, InverseSquareRoot


def test_inverse_square_root_is_equation_3_of_vaswani() -> None:
    schedule = InverseSquareRoot(units=512, warmup_steps=4000)
    for update in (1, 2, 3999, 4000, 4001, 100_000):
        expected = 512**-0.5 * min(update**-0.5, update * 4000**-1.5)
        assert float(schedule(update - 1)) == pytest.approx(expected, rel=1e-5)
    assert float(schedule(3999)) == pytest.approx(6.988e-4, rel=1e-3)  # the peak of the base model


def test_halving_gives_the_rates_that_luong_lists() -> None:
    steps = 10
    for epochs, expected in (
        (5, [1, 1, 1, 1, 1, 0.5, 0.25, 0.125, 1 / 16, 1 / 32]),
        (8, [1] * 8 + [0.5, 0.25, 0.125, 1 / 16]),
    ):
        schedule = HalveAfter(1.0, epochs, steps)
        first = [float(schedule(np.int64(epoch * steps))) for epoch in range(len(expected))]
        last = [float(schedule(np.int64((epoch + 1) * steps - 1))) for epoch in range(len(expected))]
        assert first == last == expected


@pytest.mark.parametrize("schedule", [InverseSquareRoot(64, warmup_steps=20, factor=2.0), HalveAfter(0.5, 2, 3)])
def test_a_compiled_model_is_loaded_with_its_step_and_rate(
    tmp_path: Path, schedule: keras.optimizers.schedules.LearningRateSchedule
) -> None:  # C74
    network = SmallNetwork()
    ids = np.array([[4, 5]], np.int32)
    network((ids, ids))
    network.compile(optimizer=keras.optimizers.Adam(schedule), loss="mse")
    network.optimizer.build(network.trainable_variables)
    network.optimizer.iterations.assign(9)
    network.save(tmp_path / "model.keras")

    loaded = keras.saving.load_model(tmp_path / "model.keras", compile=True)
    assert int(loaded.optimizer.iterations) == 9
    assert float(loaded.optimizer.learning_rate) == float(schedule(9)) != float(schedule(0))


@pytest.mark.parametrize("arguments", [{"units": 0}, {"units": 8, "warmup_steps": 0}])
def test_a_warm_up_of_nothing_is_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        InverseSquareRoot(**arguments)


def test_an_epoch_without_steps_is_refused() -> None:
    with pytest.raises(ValueError, match="steps_per_epoch"):
        HalveAfter(1.0, 5, 0)
