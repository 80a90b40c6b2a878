"""Joey NMT (torch) as a peer: an environment of its own, the same words and sizes, its own commands.

Nothing of it is changed: without a plateau schedule it runs with today's torch as it is. (With `scheduling: plateau`
its one use of `ReduceLROnPlateau(verbose=...)` would have to go, an argument that torch has dropped.)
"""

from __future__ import annotations

import re
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("torch==2.13.0+cpu", "joeynmt==2.3.0", "importlib_metadata")  # the last it needs and does not name
SPECIAL_SYMBOLS = ("<unk>", "<pad>", "<s>", "</s>")


@dataclass(frozen=True)
class Words:
    """What both systems read: tokenized files `train.en`, `train.de`, ... and a vocabulary a side."""

    directory: Path
    vocabularies: dict[str, tuple[str, ...]]

    @property
    def vocabulary_sizes(self) -> dict[str, int]:
        return {language: len(entries) + len(SPECIAL_SYMBOLS) for language, entries in self.vocabularies.items()}


@dataclass(frozen=True)
class Sizes:
    """The network: RNNsearch's widths and Joey's nearest."""

    embedding: int = 256
    units: int = 512
    batch_size: int = 80


class JoeyNMT:
    """Trains and translates by `python -m joeynmt`.

    Args:
        environment: directory of its virtual environment, made and filled when it is not there.
        directory: for its configuration, model and output.
        words: the text.
        sizes: of the network.
        threads: processor threads.
    """

    def __init__(self, environment: Path, directory: Path, words: Words, sizes: Sizes, threads: int) -> None:
        self.python = environment / "bin" / "python"
        self.directory = directory
        self.words = words
        self.sizes = sizes
        self.threads = threads
        if not (environment / "ready").exists():
            print(f"Installing {', '.join(PACKAGES)} into {environment} ...", flush=True)
            venv.create(environment, with_pip=True)
            subprocess.run([self.python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
            (environment / "ready").touch()

    def train(self, updates: int, every: int) -> tuple[list[float], float]:
        """Trains from the start.

        Args:
            updates: how many.
            every: updates in each stretch that is timed.

        Returns:
            Target tokens a second of each stretch (end symbols counted, padding not), and the perplexity of the
            validation text after the last update.
        """
        log = self._run("train", self._configuration(updates, every, beam_size=1), "--skip-test")
        speeds = [float(number) for number in re.findall(r"Tokens per Sec:\s+(\d+)", log)]
        perplexities = re.findall(r"ppl:\s*([\d.]+)", log)
        return speeds, float(perplexities[-1])

    def translate(self, test_set: str, beam_size: int) -> tuple[list[str], float]:
        """The tokenized translations of a test set, and the seconds that the search took by its own word."""
        configuration = self._configuration(1, 1, beam_size, test=test_set)
        output = self.directory / f"{test_set}.{beam_size}"
        log = self._run("test", configuration, "--output-path", str(output))
        lines = output.with_name(f"{output.name}.test").read_text(encoding="utf-8").splitlines()
        return lines, float(re.findall(r"Generation took ([\d.]+)\[sec\]", log)[-1])

    def _run(self, mode: str, configuration: str, *arguments: str) -> str:
        self.directory.mkdir(parents=True, exist_ok=True)
        path = self.directory / f"{mode}.yaml"
        path.write_text(configuration, encoding="utf-8")
        process = subprocess.run(
            [self.python, "-m", "joeynmt", mode, path, *arguments],
            env={"OMP_NUM_THREADS": str(self.threads), "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        if process.returncode:
            sys.exit(f"Joey NMT failed:\n{process.stdout[-4000:]}")
        return process.stdout

    def _configuration(self, updates: int, every: int, beam_size: int, test: str = "valid") -> str:
        for language, entries in self.words.vocabularies.items():
            lines = "".join(f"{entry}\n" for entry in (*SPECIAL_SYMBOLS, *entries))
            (self.words.directory / f"joey.{language}").write_text(lines, encoding="utf-8")

        def side(language: str) -> str:
            return f"{{lang: {language}, level: word, voc_file: {self.words.directory}/joey.{language}}}"

        sizes = self.sizes
        return f"""
name: peer
joeynmt_version: 2.3.0
model_dir: {self.directory}/model
use_cuda: False
random_seed: 1
data:
  train: {self.words.directory}/train
  dev: {self.words.directory}/{test}
  test: {self.words.directory}/{test}
  dataset_type: plain
  src: {side("en")}
  trg: {side("de")}
testing: {{beam_size: {beam_size}, beam_alpha: 1.0, batch_size: 80, batch_type: sentence, max_output_length: 60,
  eval_metrics: [bleu]}}
training:
  optimizer: adam
  learning_rate: 0.001
  scheduling: exponential  # one it must name; by 1.0 an epoch, that is constant
  decrease_factor: 1.0
  clip_grad_norm: 1.0
  normalization: tokens
  batch_size: {sizes.batch_size}
  batch_type: sentence
  updates: {updates}
  epochs: 1000
  logging_freq: {every}
  validation_freq: {updates}
  early_stopping_metric: ppl
  overwrite: True
  shuffle: True
  print_valid_sents: []
model:
  initializer: xavier_uniform
  encoder: {{type: recurrent, rnn_type: gru, bidirectional: True, num_layers: 1, hidden_size: {sizes.units},
    embeddings: {{embedding_dim: {sizes.embedding}}}}}
  decoder: {{type: recurrent, rnn_type: gru, attention: bahdanau, num_layers: 1, hidden_size: {sizes.units},
    init_hidden: bridge, input_feeding: True, embeddings: {{embedding_dim: {sizes.embedding}}}}}
"""
