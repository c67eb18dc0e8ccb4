#!/usr/bin/env bash
# The part of the box's life that needs no pins, with real systemd in a container at native speed. Needs root,
# systemd-container and a built rig: RIG is the rig's folder, RIG_DIR its scratch folder.
set -euo pipefail
RIG=${RIG:?the folder with pi_rig.py} RIG_DIR=${RIG_DIR:?the scratch folder of the rig}
export RIG RIG_DIR
ROOT=$(mktemp -d /var/tmp/hushXXXXXX) SHARE=$(mktemp -d "$RIG_DIR/shareXXXXXX")
trap 'rm -rf "$ROOT" "$SHARE"' EXIT
"$(dirname "$0")/share.sh" "$SHARE"
cp -a "$RIG_DIR/root/." "$ROOT/"
rm -f "$ROOT"/etc/systemd/system/*/rig-*.service
tar -C "$ROOT/usr/lib/python3/dist-packages" -xf "$SHARE/system.tar"
mkdir "$ROOT/rig-share"
cp -r "$SHARE"/{hush,wheels,updates} "$ROOT/rig-share"
cp "$(dirname "$0")"/{guest,machine}.py "$ROOT/rig-share"
cp -r "$SHARE/hush" "$ROOT/root/hush"
cat >"$ROOT/rig-share/go.sh" <<'TEXT'
exec >/rig-share/out 2>&1
cd /root/hush && HUSH_PATIENCE=5 systemd/install.sh --no-apt --wheels /rig-share/wheels && cd /rig-share &&
    HUSH_PATIENCE=5 /opt/hush/current/bin/python guest.py container
echo "exit $?"
journalctl -u hush -o short-monotonic --no-pager | tail -40
systemctl --no-block poweroff
TEXT
printf '[Service]\nType=simple\nExecStart=/bin/sh /rig-share/go.sh\n[Install]\nWantedBy=multi-user.target\n' \
    >"$ROOT/etc/systemd/system/probe.service"
ln -s ../probe.service "$ROOT/etc/systemd/system/multi-user.target.wants/probe.service"
nice -n 10 timeout 900 systemd-nspawn -q -D "$ROOT" --register=no --keep-unit --boot \
    systemd.unit=multi-user.target systemd.show_status=0 >/dev/null 2>&1 || true
cat "$ROOT/rig-share/out"
grep -q '^exit 0' "$ROOT/rig-share/out"
