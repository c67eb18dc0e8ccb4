#!/usr/bin/env bash
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

echo "$(sed -n "s/^PRETTY_NAME=//p" /etc/os-release), $(python3 --version), $(systemctl --version | head -n 1)"
ok 'there is no network' not getent hosts example.org
ok 'installed by one command' sh /rig/one.run
ok 'it runs' runs 0.1.0
ok 'the page answers' answers
ok 'not as root' test "$(stat -c %U "/proc/$(process)")" = hush
old=$(process)
ok 'installed again' sh /rig/one.run
ok 'undisturbed by that' test "$(process)" = "$old"

# A phone: it pairs by a code, sends a release, and somebody beside the box agrees by another code.
PAGE=http://127.0.0.1:8080 API=http://127.0.0.1:8080/api/v1
ask() { curl -sS -m 300 -b /rig/jar -c /rig/jar -H "Origin: $PAGE" "$@"; }
fresh_code() { companion pair | grep -o '[0-9]\{4\} [0-9]\{4\}'; }
json='Content-Type: application/json'
pair() { ask -H "$json" -d "{\"code\": \"$(fresh_code)\"}" "$API/pairing/code" | grep -q admitted; }
send() { ask -H 'Content-Type: application/x-hush-release' --data-binary "@$1" "$API/box/release"; }
deed() {
    ask -H "$json" -d "{\"deed\": \"$1\"}" "$API/box/wish" | grep -q place &&
        ask -H "$json" -d "{\"code\": \"$(fresh_code)\"}" "$API/box/wish/code" | grep -q "done"
}
says() { ask "$API/box" | grep -q "$1"; }
# soon COMMAND...: within five minutes.
soon() {
    for _ in $(seq 300); do
        "$@" 2>/dev/null && return 0
        sleep 1
    done
    return 1
}
ok 'a wrong code lets nobody in' not sh -c "curl -sS -H 'Origin: $PAGE' -H '$json' -d '{\"code\": \"00000000\"}' $API/pairing/code | grep -q admitted"
ok 'a phone pairs by a code' pair
send /rig/strange.run >/rig/said
ok 'a stranger is refused by the page' grep -q unknown_key /rig/said
head -c 50000000 /rig/two.run >/rig/torn.run
send /rig/torn.run >/rig/said
ok 'a torn file is refused by the page' grep -q no_release /rig/said
send /rig/two.run >/rig/said
ok 'a release is taken from a phone' grep -q '0.1.1' /rig/said
ok 'asked for by the phone, agreed to by a code' deed update
ok 'updated from the phone: the new version runs' soon runs 0.1.1
ok 'the phone hears of it' soon says 'Version 0.1.1 was installed'
ok 'nothing of it is left' test ! -e /var/lib/hush/update/release.run
send /rig/three.run >/rig/said
ok 'one that does not come up is taken' grep -q '0.1.2' /rig/said
ok 'and asked for' deed update
ok 'the phone hears that the one before runs' soon says "come up; the one before runs again"
ok 'it does' runs 0.1.1
# The service itself asks for something else: root does nothing.
printf 'id' >/run/hush/request
sleep 2
ok 'another word does nothing' test ! -e /run/hush/request
cp /rig/strange.run /var/lib/hush/update/release.run
printf update >/run/hush/request
ok "root itself refuses a stranger's release" soon grep -q unknown_key /run/hush-result/result.json
ok 'going back from the phone' deed go-back
ok 'the version before runs' soon runs 0.1.0
ok 'the page is back' soon answers
# The box fetches a release itself, from a server that this system trusts and that gives only whole files.
mkdir /rig/shelf
ln /rig/two.run /rig/strange.run /rig/shelf
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout /rig/server.key -out /usr/local/share/ca-certificates/rig.crt 2>/dev/null
update-ca-certificates >/dev/null 2>&1
cat >/rig/server.py <<'TEXT'
import functools, http.server, ssl
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="/rig/shelf")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 8443), handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("/usr/local/share/ca-certificates/rig.crt", "/rig/server.key")
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
TEXT
python3 /rig/server.py 2>/dev/null &
# shelved FILE: from now on the box's own file names this one. Root's helper still watches whether the version before stays up.
shelved() {
    soon says '"is_under_way":false' || return 1
    sed -i '/^\[update\]/,$d' /etc/hush/hush.toml
    printf '[update]\naddress = "https://localhost:8443/%s"\n' "$1" >>/etc/hush/hush.toml
    systemctl restart hush && soon answers
}
fetch() { ask -H "$json" -d '{}' "$API/box/download" | grep -q "done"; }
ok "the box's own file names a server" shelved strange.run
ok 'a phone asks for a download' fetch
ok 'a stranger is refused' soon says 'whom this box doesn'
ok 'nothing of it is left' not compgen -G '/var/lib/hush/update/*'
ok 'a good one is on the server' shelved two.run
ok 'a phone asks for a download' fetch
ok 'it is offered' soon says 'install version 0.1.1'
ok 'asked for by the phone, agreed to by a code' deed update
ok 'updated by a download: the new version runs' soon runs 0.1.1
ok 'the phone hears of it' soon says 'Version 0.1.1 was installed'
ok 'going back from the phone' deed go-back
ok 'the version before runs' soon runs 0.1.0
ok 'the page is back' soon answers
ok 'safe mode from the phone' deed safe-mode
ok 'the phone hears of it' soon says '"is_safe":true'
ok 'and as usual again' deed usual
ok 'it is' soon says '"is_safe":false'
# Three starts that fail: killed as soon as it is up.
for _ in 1 2 3; do
    soon is_up
    kill -9 "$(process)"
    sleep 3
done
ok 'three failed starts: safe mode' soon says '"is_safe":true'
rm -f /var/lib/hush/starts
systemctl restart hush
ok 'updated' sh /rig/two.run
ok 'the new version runs' runs 0.1.1
ok 'a version that does not come up ends with an error' not sh /rig/three.run
ok 'and the one before runs' runs 0.1.1
ok 'a stranger is refused' not sh /rig/strange.run
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
