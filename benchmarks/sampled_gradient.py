"""The gradient of the sampled loss against the softmax's, on a vocabulary small enough to know both.

    python -m benchmarks.sampled_gradient

Features and rows are drawn at random, biases follow Zipf's law, labels are drawn from the model's own distribution. Of
each strategy and size: the error of one batch's gradient of the features (root mean square over draws, relative to the
exact gradient's length), and the bias, the length of the mean error over all draws. The bias of an unbiased estimate
would be the error divided by the root of the number of draws, which the last column gives.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from tfnmt.layers.sampled_softmax_output import SampledSoftmaxOutput
from tfnmt.layers.sampling import LogUniformSampling, PartitionSampling, Sampling, UnigramSampling
from tfnmt.layers.softmax_output import SoftmaxOutput

FEATURES = 32


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=2000)
    parser.add_argument("--tokens", type=int, default=64, help="of the batch")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 200, 500, 1000, 2000])
    parser.add_argument("--draws", type=int, default=200)
    options = parser.parse_args()

    random = np.random.default_rng(1)
    kernel = random.normal(scale=0.5, size=[options.words, FEATURES]).astype(np.float32)
    bias = -np.log(np.arange(1, options.words + 1)).astype(np.float32)
    features = random.normal(size=[options.tokens, FEATURES]).astype(np.float32)
    probabilities = np.exp(features @ kernel.T + bias)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    labels = np.array([random.choice(options.words, p=row) for row in probabilities], np.int32)
    unigram = probabilities.mean(axis=0)

    def gradient_of(layer: SoftmaxOutput) -> tf.types.experimental.GenericFunction:
        layer.build((None, FEATURES))
        layer.set_weights([kernel, bias])

        @tf.function(autograph=False)
        def gradient() -> tf.Tensor:
            inputs = tf.constant(features)
            with tf.GradientTape() as tape:
                tape.watch(inputs)
                loss = tf.reduce_sum(layer.loss(inputs, labels))
            return tape.gradient(loss, inputs)

        return gradient

    exact = gradient_of(SoftmaxOutput(options.words))().numpy()
    print(f"{options.words:,} words, {options.tokens} tokens, {options.draws} draws\n")
    print("| strategy | words of a sample | error | bias | error / sqrt(draws) |\n| --- | ---: | ---: | ---: | ---: |")
    for kind in (PartitionSampling, LogUniformSampling, UnigramSampling):
        for size in options.sizes:
            sampling: Sampling = kind(size)
            gradient = gradient_of(SampledSoftmaxOutput(options.words, sampling))
            if isinstance(sampling, UnigramSampling):
                sampling.count(unigram * 1e6)
            errors = []
            for _ in range(options.draws):
                if isinstance(sampling, PartitionSampling):
                    sampling.use(part(random, labels, unigram, size))
                errors.append((gradient().numpy() - exact).ravel())
            scale = np.linalg.norm(exact)
            error = np.sqrt(np.mean(np.square(np.linalg.norm(errors, axis=1)))) / scale
            bias_found = np.linalg.norm(np.mean(errors, axis=0)) / scale
            expected = error / np.sqrt(options.draws)
            print(f"| {kind.__name__} | {size:,} | {error:.4f} | {bias_found:.4f} | {expected:.4f} |", flush=True)


def part(random: np.random.Generator, labels: np.ndarray, unigram: np.ndarray, size: int) -> np.ndarray:
    """The words of a stretch of text with this batch in it: its labels, and words as they occur, `size` in all."""
    others = np.setdiff1d(np.arange(len(unigram)), labels)
    number = min(len(others), max(0, size - len(np.unique(labels))))
    # the words that a walk through independent tokens meets first are drawn without replacement by their frequency
    keys = np.log(random.random(len(others))) / unigram[others]
    return np.union1d(labels, others[np.argsort(-keys)[:number]])


if __name__ == "__main__":
    main()
