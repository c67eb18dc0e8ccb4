#!/usr/bin/env bash
# release.sh ROOT.tar FOLDER: the one-command release on a bare Debian with real systemd and no network. ROOT.tar is a
# system as mmdebstrap makes it, with the Debian packages of the installer's list; FOLDER holds one.run, two.run (newer),
# three.run (newer still, doesn't come up) and strange.run (another key). Needs root and systemd-container.
set -euo pipefail
TAR=${1:?a system as a tar} FOLDER=$(realpath "${2:?the folder with the releases}") HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(mktemp -d "${SCRATCH:-/var/tmp}/hushXXXXXX")
trap 'rm -rf "$ROOT"' EXIT
tar -C "$ROOT" -xf "$TAR"
mkdir "$ROOT/rig"
cp "$FOLDER"/*.run "$HERE/release_guest.sh" "$ROOT/rig"
printf '[Service]\nType=simple\nExecStart=/bin/bash /rig/release_guest.sh\n[Install]\nWantedBy=multi-user.target\n' \
    >"$ROOT/etc/systemd/system/probe.service"
mkdir -p "$ROOT/etc/systemd/system/multi-user.target.wants"
ln -s ../probe.service "$ROOT/etc/systemd/system/multi-user.target.wants/probe.service"
nice -n 10 timeout 2700 systemd-nspawn -q -D "$ROOT" --register=no --keep-unit --private-network --boot \
    systemd.unit=multi-user.target systemd.show_status=0 >/dev/null 2>&1 || true
cat "$ROOT/rig/out"
grep -q '^all ok' "$ROOT/rig/out"
