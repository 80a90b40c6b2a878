"""How training speeds up with the devices: real target words a second of RNNsearch on one device, on two, ... on all.

    python -m benchmarks.scaling                    # the GPUs of this machine, weak scaling: 80 sentences a device
    python -m benchmarks.scaling --batch-size 320 --strong --precision mixed_float16
    python -m benchmarks.scaling --cpu-devices 2    # logical devices of one CPU: that it runs, not a gain

Each row is a process of its own, on n devices. Weak scaling gives each device its batch, strong scaling shares
one batch. Efficiency is the speed over n times the speed of one device. For the table of several machines run
`tfnmt train` there and read the words a second that it tells.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch-size", type=int, default=80, help="sentences of a device, or of all with --strong")
    parser.add_argument("--strong", action="store_true", help="the batch is shared, not multiplied")
    parser.add_argument("--embedding", type=int, default=620)
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--vocabulary", type=int, default=30_000)
    parser.add_argument("--length", type=int, default=25, help="words of each sentence on both sides")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--precision", default="float32", choices=["float32", "mixed_bfloat16", "mixed_float16"])
    parser.add_argument("--cpu-devices", type=int, default=1)
    parser.add_argument("--devices", type=int, help="measure this many and print one line of JSON")
    options = parser.parse_args()
    if options.devices:
        print(json.dumps(_measured(options)))
        return
    print("| devices | batch | words/s | efficiency |\n| ---: | ---: | ---: | ---: |")
    alone = None
    for devices in range(1, _available(options) + 1):
        command = [sys.executable, __file__, *sys.argv[1:], "--devices", str(devices)]
        speed = json.loads(_said(command))
        alone = alone or speed["words"]
        share = speed["words"] / alone / devices
        print(f"| {devices} | {speed['batch']} | {speed['words']:,.0f} | {share:.0%} |", flush=True)


def _available(options: argparse.Namespace) -> int:
    program = (
        "from tfnmt.zoo.verb import load_tensorflow; load_tensorflow(); import tensorflow as tf; "
        "print(len(tf.config.list_physical_devices('GPU')))"
    )
    return int(_said([sys.executable, "-c", program])) or int(options.cpu_devices)


def _said(command: list[str]) -> str:
    """What a process prints; what it complains of is shown as it comes."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def _measured(options: argparse.Namespace) -> dict[str, float]:
    from tfnmt.zoo.verb import load_tensorflow

    load_tensorflow()
    import keras
    import numpy as np
    import tensorflow as tf

    from tfnmt.layers.additive_score import AdditiveScore
    from tfnmt.layers.global_attention import GlobalAttention
    from tfnmt.layers.maxout_readout import MaxoutReadout
    from tfnmt.layers.softmax_output import SoftmaxOutput
    from tfnmt.models.bahdanau_decoder import BahdanauDecoder
    from tfnmt.models.encoder_decoder import EncoderDecoder
    from tfnmt.models.gated_encoder import BidirectionalEncoder
    from tfnmt.training.loss_scale import DynamicLossScale
    from tfnmt.training.optimizers import Adam
    from tfnmt.training.step import TrainingStep
    from tfnmt.training.strategies import made

    tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[: options.devices], "GPU")
    strategy = made("mirrored" if options.devices > 1 else "single", min(options.cpu_devices, options.devices))
    keras.utils.set_random_seed(1)
    keras.config.set_dtype_policy(options.precision)
    size, units = options.vocabulary, options.units
    with strategy.scope():
        attention = GlobalAttention(AdditiveScore(units))
        network = EncoderDecoder(
            BidirectionalEncoder(size, options.embedding, units),
            BahdanauDecoder(size, options.embedding, units, attention, MaxoutReadout(units // 2)),
            SoftmaxOutput(size),
        )
        network.build()
        optimizer = Adam(1e-4)
        optimizer.build(network.trainable_variables)
        scale = DynamicLossScale() if options.precision == "mixed_float16" else None
    step = TrainingStep(strategy, network, optimizer, clip_norm=1.0, loss_scale=scale)
    batch = options.batch_size * (1 if options.strong else options.devices)
    ids = np.random.default_rng(1).integers(4, size, [batch, options.length]).astype(np.int32)
    for _ in range(2):
        float(step(ids, ids).loss)  # compiles
    start = time.perf_counter()
    for _ in range(options.steps):
        result = step(ids, ids)
    float(result.loss)
    return {"batch": batch, "words": options.steps * ids.size / (time.perf_counter() - start)}


if __name__ == "__main__":
    main()
