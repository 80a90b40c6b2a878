"""Target words a second of the training step of a recipe at the sizes it names, on generated sentences.

    python -m benchmarks.recipe_speed luong_local_p                     # the paper's size: 4 layers of 1,000, 50K words
    python -m benchmarks.recipe_speed luong_local_p --set training.precision=mixed_bfloat16
    python -m benchmarks.recipe_speed luong_local_p --set training.precision=mixed_bfloat16 \\
        --set 'model.output={kind="sampled_softmax", sampling={kind="log_uniform", size=4000}}'

Luong et al. (2015, section 4.1) trained at 1,000 target words a second on a Tesla K40. Sentences have 25 words a side,
as those of their corpus have on average; words are drawn by Zipf's law. Nothing is padded.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np

from benchmarks import history
from tfnmt.processors import processors, threads_of_an_operation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe")
    parser.add_argument("--profile", default="paper")
    parser.add_argument("--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--vocabulary", type=int, default=50_000, help="entries of each side")
    parser.add_argument("--length", type=int, default=25, help="words of each sentence on both sides")
    parser.add_argument("--steps", type=int, default=5, help="that are timed, after one that compiles")
    options = parser.parse_args()

    from tfnmt.zoo.verb import load_tensorflow

    load_tensorflow()
    import keras
    import tensorflow as tf

    from benchmarks.sampled_softmax_speed import zipf
    from tfnmt.training.normalization import LossNormalization
    from tfnmt.training.step import TrainingStep
    from tfnmt.zoo import builder, shelf
    from tfnmt.zoo.training_run import lanes

    recipe = shelf.load(options.recipe, options.profile, options.overrides)
    parts = lanes(recipe, 1)
    threads_of_an_operation(processors() // parts)
    keras.utils.set_random_seed(1)
    keras.config.set_dtype_policy(recipe.training.precision)
    network = builder.network(recipe, options.vocabulary, options.vocabulary)
    network.build()
    optimizer = builder.build(recipe.training.optimizer, {"steps_per_epoch": 1000})
    optimizer.build(network.trainable_variables)
    step = TrainingStep(
        tf.distribute.get_strategy(), network, optimizer, LossNormalization(recipe.training.normalization),
        recipe.training.clip_norm, lanes=parts,
    )  # fmt: skip
    sentences = recipe.corpus.batches.typical_sentences
    random = np.random.default_rng(1)
    seconds = []
    for _ in range(options.steps + 1):
        sources, targets = (zipf(random, options.vocabulary, [sentences, options.length]) for _ in range(2))
        start = time.perf_counter()
        float(step(sources, targets).loss)
        seconds.append(time.perf_counter() - start)
    speed = sentences * options.length / statistics.median(seconds[1:])
    millions = sum(int(np.prod(weight.shape)) for weight in network.weights) / 1e6
    print(
        f"{recipe.title}, {millions:,.0f} million weights, batches of {sentences}: {speed:,.0f} target words a second"
    )
    history.record("recipe_speed", {" ".join([options.recipe, options.profile, *options.overrides]): speed})


if __name__ == "__main__":
    main()
