# shellcheck shell=sh
# Runs in the guest as root, in the shared folder, once after each start of the machine.
mkdir -p /var/lib/rig
STAGE=$(cat /var/lib/rig/stage 2>/dev/null || cat stage)
if [ "$STAGE" = install ]; then
    echo "installing, uptime $(cut -d' ' -f1 /proc/uptime)"
    (cd /root/hush && systemd/install.sh --no-apt --wheels /rig-share/wheels) || exit 1
    echo "installed, uptime $(cut -d' ' -f1 /proc/uptime)"
fi
PYTHON=/opt/hush/current/bin/python
[ -x $PYTHON ] || PYTHON=/usr/bin/python3
$PYTHON guest.py "$STAGE"
status=$?
journalctl -u hush -u hush-shutdown -o short-monotonic --no-pager >"journal-$STAGE.txt" 2>/dev/null
exit $status
