#!/bin/bash
# Settings of the tree against those of version 0.2.0, on games that behave differently: about 9 minutes on 16 cores.
#
#     bench/settings_race.sh 1
#
# Each round has rivals of its own; results go to build/players, the table to standard output.
set -euo pipefail
cd "$(dirname "$0")/.."
GAMES=${GAMES:-connect-four,connect-four-8x6,breakthrough,knight-through,othello,hex,pentago,quarto}
case ${1:-1} in
  1) RIVALS="mac-ucb:group=32;mac-ucb:group=64,child=16;mac-ucb:group=64,child=16,c=0.15;mac-ucb:group=64,child=32,c=0.1,minimax=0.3;mac-ucb:group=64,child=16,puct=0.7,c=0.3;mac-ucb:group=64,child=8,c=0.1" ;;
  *) RIVALS=$2 ;;
esac
exec "${PYTHON:-.venv/bin/python}" -m bench.players --player mac-ucb --rivals "$RIVALS" --games "$GAMES" --cpu \
  --seconds "${SECONDS_A_MOVE:-0.12}" --pairs "${PAIRS:-15}" --concurrency "$(nproc)"
