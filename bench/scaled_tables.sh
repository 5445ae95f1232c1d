#!/bin/sh
# The papers' tables with the players as published, at scaled clocks: about 8 minutes on 16 quiet cores.
#
#     bench/scaled_tables.sh FOLDER [MINUTES]
#
# Writes FOLDER/<table>/ (plan, journal, report.md, report.html, duels.csv). Each table stops starting matches after its
# share of MINUTES (8 if none are given); `woodstock tournament resume FOLDER/<table>` plays the rest.
set -eu
out=$1
minutes=${2:-8}
woodstock=$(dirname "$0")/../.venv/bin/woodstock
for part in cons-table-3:0.29 cons-table-4:0.26 cons-figure-6:0.28 sym-table-1:0.17; do
    table=${part%:*}
    share=$(awk "BEGIN { print ${part#*:} * $minutes }")
    "$woodstock" tournament run "$(dirname "$0")/../experiments/scaled/$table.toml" --out "$out/$table" --minutes "$share"
    "$woodstock" tournament report "$out/$table" --html "$out/$table/report.html" --markdown "$out/$table/report.md" \
        --csv "$out/$table/duels.csv"
done
