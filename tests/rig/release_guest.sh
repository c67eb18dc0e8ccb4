# shellcheck shell=bash
# Runs in the container as root: the whole life of a box that was installed by one command, without a network.
exec >/rig/out 2>&1
export HUSH_PATIENCE=5
FAILED=''
# ok NAME COMMAND...: the command must succeed; its last words are shown if not.
ok() {
    local name=$1 began=$SECONDS said
    shift
    if said=$("$@" 2>&1); then
        echo "ok   $name ($((SECONDS - began)) s)"
    else
        FAILED=yes
        printf 'FAIL %s\n%s\n' "$name" "$(tail -n 15 <<<"$said")"
    fi
}
not() { ! "$@"; }
is_up() { [[ $(systemctl is-active hush.service) == active ]]; }
runs() { is_up && compgen -G "/opt/hush/current/lib/python3*/site-packages/hush-$1.dist-info" >/dev/null; }
answers() { curl -fsS -m 10 -o /dev/null http://127.0.0.1:8080/; }
process() { systemctl show -P MainPID hush.service; }

echo "$(. /etc/os-release && echo "$PRETTY_NAME"), $(python3 --version), $(systemctl --version | head -n 1)"
ok 'there is no network' not getent hosts example.org
ok 'installed by one command' sh /rig/one.run
ok 'it runs' runs 0.1.0
ok 'the page answers' answers
ok 'not as root' test "$(stat -c %U "/proc/$(process)")" = hush
old=$(process)
ok 'installed again' sh /rig/one.run
ok 'undisturbed by that' test "$(process)" = "$old"
ok 'updated' sh /rig/two.run
ok 'the new version runs' runs 0.1.1
ok 'a version that does not come up ends with an error' not sh /rig/three.run
ok 'and the one before runs' runs 0.1.1
ok 'a stranger is refused' not sh /rig/strange.run
head -c 50000000 /rig/two.run >/rig/torn.run
ok 'a torn file is refused' not sh /rig/torn.run
ok 'still the same version' runs 0.1.1
ok 'rolled back' sh /rig/two.run rollback
ok 'the version before runs' runs 0.1.0
ok 'and its page answers' answers
ok 'the doctor has something to say' sh -c 'companion doctor; test $? -le 1'
echo 'what the doctor says:'
companion doctor || true
ok 'removed' sh /rig/two.run remove
ok 'the games stay' test -d /var/lib/hush
ok 'the program is gone' test ! -e /opt/hush
ok 'removed with the games' sh /rig/two.run remove --purge
ok 'nothing is left' test ! -e /var/lib/hush
ok 'no scratch folder is left' not compgen -G '/var/tmp/hush.*'
du -sh /rig/one.run
journalctl -u hush -n 20 -o cat --no-pager
[[ $FAILED ]] || echo 'all ok'
systemctl --no-block poweroff
