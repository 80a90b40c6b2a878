"""`tfnmt score`: how probable given translations are."""

from __future__ import annotations

import json

import click

from tfnmt.zoo import lines, measures, translators
from tfnmt.zoo.model_use import ModelUse, with_model_use
from tfnmt.zoo.verb import Verb, load_tensorflow, run


@click.command("score", cls=Verb)
@click.argument("model")
@click.option("--source", required=True, help="Sentences, one a line.")
@click.option("--target", required=True, help="A translation of each.")
@click.option("--output", default=lines.STANDARD, show_default=True, help="Where to write; '-' is standard output.")
@with_model_use
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object with all scores and the perplexity.")
def command(model: str, source: str, target: str, output: str, use: ModelUse, as_json: bool) -> None:
    """Write the natural log-probability of each given pair under a model, one number a line.

    The probability is that of the exact softmax, end symbol included.

    \b
    Examples:
      tfnmt score runs/mine --source test.en --target test.de
      tfnmt score runs/mine --source test.en --target test.de --json
      tfnmt score runs/one,runs/two --source test.en --target test.de
    """
    translators.find_all(model)
    sources, targets = lines.read_parallel(["--source", "--target"], [source, target])
    load_tensorflow()
    translator = translators.load(model, use)
    scores = translator.score(sources, targets)
    with lines.writer(output) as stream:
        if as_json:
            report = {
                "log_probabilities": scores,
                "sum": sum(scores),
                "perplexity": measures.perplexity(translator, sources, targets),
            }
            stream.write(json.dumps(report, indent=2) + "\n")
        else:
            stream.writelines(f"{score:.6f}\n" for score in scores)


if __name__ == "__main__":
    run(command, "python -m tfnmt.zoo.score")
