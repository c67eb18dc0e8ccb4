#!/usr/bin/env bash
# layer.sh RELEASE.run: systemd/image/layer/hush.yaml on a plain Debian, by mmdebstrap as rpi-image-gen would call it; then the first
# boot, in a container with real systemd, to the menu. Without the packages that Debian doesn't have: camera and pins. Needs
# root, mmdebstrap, systemd-container and python3-yaml.
set -euo pipefail
IGconf_hush_release=$(realpath "${1:?a release file}") HERE=$(cd "$(dirname "$0")" && pwd)
export IGconf_hush_release
# shellcheck source=tests/rig/recipe.sh
. "$HERE/recipe.sh"
ROOT=$(mktemp -d "${SCRATCH:-/var/tmp}/layerXXXXXX")
trap 'rm -rf "$ROOT"' EXIT
build_layer "$ROOT" systemd-sysv,dbus,procps,curl
mkdir "$ROOT/rig"
cat >"$ROOT/rig/probe.sh" <<'TEXT'
exec >/rig/out 2>&1
for n in $(seq 300); do curl -fsS -m 5 -o /dev/null http://127.0.0.1:8080/ && break; sleep 1; done
echo "up after $(cut -d. -f1 /proc/uptime) s of the host, status: $(systemctl show -P StatusText hush.service)"
[ "$(systemctl is-active hush.service)" = active ] && echo 'ok   the service runs at the first boot'
[ "$(stat -c %a /var/lib/hush/page.json)" = 600 ] && echo "ok   the page's key was made at the first boot"
grep -q '^host-name=hush' /etc/avahi/avahi-daemon.conf && echo 'ok   it is called hush.local'
companion pair | grep -q '[0-9]\{4\} [0-9]\{4\}' && echo 'ok   companion pair makes a code'
companion doctor | head -n 1
began=$(date +%s)
systemctl stop hush.service
echo "stopped in $(($(date +%s) - began)) s"
journalctl -u hush -o short-precise --no-pager | tail -n 12
systemctl --no-block poweroff
TEXT
printf '[Service]\nType=simple\nExecStart=/bin/sh /rig/probe.sh\n' >"$ROOT/etc/systemd/system/probe.service"
ln -s ../probe.service "$ROOT/etc/systemd/system/multi-user.target.wants/probe.service"
timeout 600 systemd-nspawn -q -D "$ROOT" --register=no --keep-unit --private-network --boot systemd.unit=multi-user.target \
    systemd.show_status=0 >/dev/null 2>&1 || true
cat "$ROOT/rig/out"
[[ $(grep -c '^ok' "$ROOT/rig/out") == 4 ]]
