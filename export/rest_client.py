#!/usr/bin/env python3
"""Translate with a server over REST; needs nothing but Python.

Usage: python rest_client.py "A sentence." "Another one." [--server http://localhost:8501] [--model translator]
"""

import argparse
import json
import urllib.request


def translate(sentences: list[str], server: str = "http://localhost:8501", model: str = "translator") -> list[str]:
    """The best translation of each sentence."""
    body = json.dumps({"inputs": {"sentences": sentences}}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{server}/v1/models/{model}:predict", body, headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["outputs"]["translation"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Translate with a server over REST.")
    parser.add_argument("sentences", nargs="+")
    parser.add_argument("--server", default="http://localhost:8501")
    parser.add_argument("--model", default="translator")
    arguments = parser.parse_args()
    print(*translate(arguments.sentences, arguments.server, arguments.model), sep="\n")
