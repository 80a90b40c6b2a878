"""One worker of a team, which TF_CONFIG names: what it hears from the others, as JSON. Argument: a file all share."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from tfnmt.training.strategies import made
from tfnmt.training.team import team


def main(shared: Path) -> None:
    number = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    members = team(made("auto"))
    with members.chief_first():
        found = shared.read_text(encoding="utf-8") if shared.is_file() else "nothing"
        if members.is_chief:
            time.sleep(0.5)
            shared.write_text("written by the chief", encoding="utf-8")
    report = {
        "size": members.size,
        "chief": members.is_chief,
        "found": found,
        "nobody": members.agree(False, 10.0 + number),
        "one": members.agree(number == 1, 20.0 + number),
        "shared": members.share(0.1 + number),
    }
    print(json.dumps(report), flush=True)
    members.part()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
