"""One worker of a team: what it hears from the others, as JSON. Arguments: its number, and the ports of all of them."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from tfnmt.training.strategies import made
from tfnmt.training.team import team


def main(number: int, ports: list[str], shared: Path) -> None:
    addresses = [f"127.0.0.1:{port}" for port in ports]
    os.environ["TF_CONFIG"] = json.dumps(
        {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": number}}
    )
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
    members.meet()
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[3:], Path(sys.argv[2]))
