#!/bin/sh
# Translate with a server over REST, by hand. Inputs and outputs are plain JSON strings, of any language.
# Usage: ./request.sh [http://localhost:8501]
curl --silent --show-error --fail-with-body "${1:-http://localhost:8501}/v1/models/translator:predict" \
  --header 'Content-Type: application/json' \
  --data '{"inputs": {"sentences": ["A dog runs.", "She said: \"Größe zählt.\"", "It'\''s ½ past three."]}}'
