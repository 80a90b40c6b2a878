#!/bin/sh
# Serve an export with TensorFlow Serving: gRPC on port 8500, REST on port 8501.
# Usage: ./serve.sh /path/to/exports/translator        (the directory that holds the versions 1/, 2/, …)
set -eu
models=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
exec docker run --rm --name translator \
  --publish 8500:8500 --publish 8501:8501 \
  --volume "$models:/models/translator:ro" \
  --volume "$here:/config:ro" \
  tensorflow/serving:2.21.0 \
  --model_config_file=/config/models.config \
  --model_config_file_poll_wait_seconds=60 \
  --enable_batching=true \
  --batching_parameters_file=/config/batching.config \
  --tensorflow_intra_op_parallelism=1 \
  --monitoring_config_file=/config/monitoring.config
