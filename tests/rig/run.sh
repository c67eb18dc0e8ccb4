#!/usr/bin/env bash
# run.sh STAGE...: parts of a box's life in the rig; docs/dev/rig.md lists them. RIG is the rig's folder, RIG_DIR its scratch
# folder (built before; for every stage but `install` by image.sh), WHEELS as for share.sh.
set -euo pipefail
RIG=${RIG:?the folder with pi_rig.py} RIG_DIR=${RIG_DIR:?the scratch folder of the rig}
export RIG RIG_DIR
HERE=$(cd "$(dirname "$0")" && pwd)
SHARE=$RIG_DIR/share
[[ -d $SHARE/hush ]] || "$HERE/share.sh" "$SHARE"
[[ $* == first_boot || -d $SHARE/stories ]] || (cd "$HERE/../.." && .venv/bin/python -m tests.rig.story "$SHARE/stories")
cp "$HERE"/{test.sh,*.py} "$SHARE"
mkdir -p "$RIG_DIR/report"
failed=()
for stage; do
    rm -f "$SHARE"/journal-*.txt
    echo "$stage" >"$SHARE/stage"
    # A first boot is no snapshot's.
    python3 "$RIG/pi_rig.py" run "$SHARE" ${COLD:+--cold} --timeout "${PATIENCE:-3000}" 2>&1 |
        tee "$RIG_DIR/report/$stage.txt" || failed+=("$stage")
    cat "$SHARE"/journal-*.txt >"$RIG_DIR/report/$stage-journal.txt" || true
done
((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; exit 1; }
