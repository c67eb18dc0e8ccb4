#!/usr/bin/env bash
# Plays the whole life of a box in the rig: RIG is the rig's folder, RIG_DIR its scratch folder (built before).
set -euo pipefail
RIG=${RIG:?the folder with pi_rig.py} RIG_DIR=${RIG_DIR:?the scratch folder of the rig}
export RIG RIG_DIR
SHARE=$(mktemp -d "$RIG_DIR/shareXXXXXX")
trap 'rm -rf "$SHARE"' EXIT
"$(dirname "$0")/share.sh" "$SHARE"
status=0
nice -n 10 python3 "$RIG/pi_rig.py" run "$SHARE" --timeout "${PATIENCE:-3000}" || status=$?
mkdir -p "$RIG_DIR/report"
cp "$SHARE"/*.txt "$SHARE"/*.zip "$RIG_DIR/report" 2>/dev/null || true
exit "$status"
