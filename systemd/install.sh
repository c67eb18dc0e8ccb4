#!/usr/bin/env bash
# Hush on a Raspberry Pi: install, update, roll back, remove. docs/service.md says what each step is for.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: sudo systemd/install.sh [install|update|rollback|remove] [options]

  install     put Hush on this machine and start it (the default; doing it twice changes nothing)
  update      install the version in this folder; if it doesn't come up, the one before comes back
  rollback    go back to the version before
  remove      take Hush off; saved games and the configuration stay

  --dry-run       say what would be done, do nothing
  --root DIR      work on the system in DIR instead of this one (nothing is started)
  --source PATH   the folder or wheel to install from (default: the folder this script is in)
  --wheels DIR    take Python packages from this folder alone, without a network
  --no-apt        leave the system's packages as they are
  --no-start      install, but start nothing
  --purge         with remove: saved games, configuration and the user go too
TEXT
}

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ACTION=install DRY='' ROOT='' SOURCE=$(dirname "$HERE") WHEELS='' APT=yes START=yes PURGE=''
PYTHON=${PYTHON:-/usr/bin/python3}
PATIENCE=${HUSH_PATIENCE:-10}
UNITS=(hush.service hush-shutdown.path hush-shutdown.service)
# What pip can't bring, or shouldn't on a Pi. libgl1 and libglib2.0-0 are what OpenCV's wheel is linked against.
PARTS=(python3-venv python3-picamera2 python3-lgpio espeak-ng libgl1 libglib2.0-0 fonts-dejavu-core)

say() { printf 'hush: %s\n' "$*"; }
fail() { printf 'hush: %s\n' "$*" >&2; exit 1; }

# Everything that changes the machine goes through here, so that --dry-run can be trusted.
act() {
    if [[ $DRY ]]; then
        printf '  would run: %s\n' "$*"
    else
        "$@"
    fi
}

parse() {
    while (($#)); do
        case $1 in
            install | update | rollback | remove) ACTION=$1 ;;
            --dry-run) DRY=yes ;;
            --root) ROOT=${2:?--root needs a folder}; shift ;;
            --source) SOURCE=$(realpath "${2:?--source needs a path}"); shift ;;
            --wheels) WHEELS=$(realpath "${2:?--wheels needs a folder}"); shift ;;
            --no-apt) APT='' ;;
            --no-start) START='' ;;
            --purge) PURGE=yes ;;
            -h | --help) usage; exit 0 ;;
            *) usage >&2; fail "unknown: $1" ;;
        esac
        shift
    done
    if [[ $ROOT ]]; then
        ROOT=$(realpath -m "$ROOT") APT='' START=''
    elif [[ ! $DRY && $EUID -ne 0 ]]; then
        fail "this changes the system: sudo $0 $ACTION"
    fi
    HOME_OF_HUSH=$ROOT/opt/hush
    CURRENT=$HOME_OF_HUSH/current
}

# --- the system's own parts -----------------------------------------------------------------------------------------

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

install_parts() {
    [[ $APT ]] || return 0
    local part missing=()
    for part in "${PARTS[@]}"; do
        is_installed "$part" || missing+=("$part")
    done
    ((${#missing[@]})) || return 0
    say "installing ${missing[*]} with apt"
    act apt-get update -q
    act env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

make_user() {
    act systemd-sysusers ${ROOT:+--root="$ROOT"} "$HERE/hush.sysusers"
}

# --- releases: each version in a folder of its own, `current` points at the one that runs ----------------------------

# What a release is made of; the same source, Python and constraints give the same release.
fingerprint() {
    {
        "$PYTHON" --version
        "$PYTHON" "$HERE/packages.py" constraints
        if [[ -d $SOURCE ]]; then
            (cd "$SOURCE" && find pyproject.toml companion vision hardware sounds systemd -type f \
                ! -name '*.pyc' -print0 | sort -z | xargs -0 sha256sum)
        else
            sha256sum <"$SOURCE"
        fi
    } | sha256sum | cut -c1-12
}

make_release() {
    RELEASE=$HOME_OF_HUSH/releases/$(fingerprint)
    if [[ -e $RELEASE/complete ]]; then
        say "this version is here already"
        return 0
    fi
    say "making ${RELEASE##*/} (some minutes on a Pi)"
    act rm -rf "$RELEASE"
    act mkdir -p "$HOME_OF_HUSH/releases"
    # With the system's packages: picamera2 and lgpio come from apt.
    act "$PYTHON" -m venv --system-site-packages "$RELEASE"
    if [[ $DRY ]]; then
        act "$RELEASE/bin/pip" install --constraint constraints.txt "$SOURCE"
        return 0
    fi
    # lgpio makes a pipe in the working folder as soon as it is imported, and not every folder takes one.
    LG_WD=$(mktemp -d)
    export LG_WD
    trap 'rm -rf "$LG_WD"' EXIT
    "$PYTHON" "$HERE/packages.py" constraints >"$RELEASE/constraints.txt"
    local options=(--quiet --disable-pip-version-check --no-cache-dir --constraint "$RELEASE/constraints.txt")
    [[ $WHEELS ]] && options+=(--no-index --find-links "$WHEELS")
    "$RELEASE/bin/pip" install "${options[@]}" "$SOURCE" || discard "the Python packages can't be installed"
    local part
    # Where apt has no picamera2 or lgpio, a wheel will do.
    for part in picamera2 lgpio; do
        if compgen -G "${WHEELS:-/nowhere}/$part-*" >/dev/null && ! "$RELEASE/bin/python" -c "import $part" 2>/dev/null; then
            "$RELEASE/bin/pip" install "${options[@]}" "$part" || discard "$part can't be installed"
        fi
    done
    mend_opencv "${options[@]}"
    "$RELEASE/bin/python" "$HERE/packages.py" check || discard "this version doesn't fit this system"
    # The release carries its own units and this script, so that a rollback brings those back too.
    cp -r "$HERE" "$RELEASE/systemd"
    touch "$RELEASE/complete"
}

# Without a desktop's libraries OpenCV's usual wheel can't be loaded; the headless one holds the same module.
mend_opencv() {
    "$RELEASE/bin/python" -c 'import cv2' 2>/dev/null && return 0
    local version
    version=$("$RELEASE/bin/python" -c 'import importlib.metadata as m; print(m.version("opencv-python"))') || return 0
    say "no ${PARTS[4]} here: taking the headless OpenCV $version"
    "$RELEASE/bin/pip" uninstall --quiet --yes opencv-python
    "$RELEASE/bin/pip" install "$@" --no-deps "opencv-python-headless==$version" || true
}

discard() {
    rm -rf "$RELEASE"
    fail "$1; nothing was changed"
}

# Point `current` at a release in one step; a power cut leaves the old one or the new one.
switch_to() {
    act ln -sfn "releases/${1##*/}" "$HOME_OF_HUSH/next"
    act mv -T "$HOME_OF_HUSH/next" "$CURRENT"
    local unit
    for unit in "${UNITS[@]}"; do
        act install -D -m 644 "$1/systemd/$unit" "$ROOT/etc/systemd/system/$unit"
    done
}

running_release() { readlink -e "$CURRENT" || true; }

previous_release() {
    local path
    path=$(readlink -e "$HOME_OF_HUSH/previous") || return 0
    [[ ! -e $path/complete ]] || printf '%s' "$path"
}

drop_old_releases() {
    local path
    for path in "$HOME_OF_HUSH"/releases/*; do
        [[ ! -d $path || $path == "$(running_release)" || $path == "$(previous_release)" ]] || act rm -rf "$path"
    done
}

# --- configuration and start ----------------------------------------------------------------------------------------

configure() {
    local file=$ROOT/etc/hush/hush.toml language
    if [[ ! -e $file ]]; then
        act install -D -m 644 "$HERE/hush.toml" "$file"
        language=$(sed -n 's/^LANG="\?\([a-z][a-z]\)_.*/\1/p' "$ROOT/etc/default/locale" 2>/dev/null || true)
        case $language in
            nl | es | pl) act sed -i "s/^# language = \"nl\" /language = \"$language\" /" "$file" ;;
        esac
    fi
    act install -d -m 750 "$ROOT/var/lib/hush"
    [[ $ROOT ]] || act chown hush:hush /var/lib/hush /etc/hush "$file"
    act mkdir -p "$ROOT/usr/local/bin"
    act ln -sfn /opt/hush/current/bin/companion "$ROOT/usr/local/bin/companion"
}

# Started, ready within the unit's own time limit, and still the same process a moment later.
comes_up() {
    [[ $START ]] || return 0
    act systemctl daemon-reload
    act systemctl reset-failed hush.service 2>/dev/null || true
    act systemctl restart hush.service || return 1
    act systemctl start hush-shutdown.path || return 1
    [[ $DRY ]] && return 0
    local process
    process=$(systemctl show -P MainPID hush.service)
    sleep "$PATIENCE"
    [[ $(systemctl is-active hush.service) == active && $(systemctl show -P MainPID hush.service) == "$process" ]]
}

# This very version runs already, by these very units: a game isn't disturbed for nothing.
runs_already() {
    [[ $START && $(running_release) == "$RELEASE" ]] || return 1
    local unit
    for unit in "${UNITS[@]}"; do
        cmp -s "$RELEASE/systemd/$unit" "$ROOT/etc/systemd/system/$unit" || return 1
    done
    [[ $(systemctl is-active hush.service hush-shutdown.path | sort -u) == active ]]
}

enable_units() {
    act systemctl ${ROOT:+--root="$ROOT"} --quiet enable hush.service hush-shutdown.path
}

# Stopped by the version that runs, so that its own `companion dark` turns the lights off.
stop_service() {
    [[ ! $START ]] || act systemctl stop hush.service
}

take_over() {
    if runs_already; then
        enable_units
        say "it runs already, and goes on undisturbed"
        return 0
    fi
    local before
    before=$(running_release)
    if [[ $before && $before != "$RELEASE" ]]; then
        stop_service
        act ln -sfn "releases/${before##*/}" "$HOME_OF_HUSH/previous"
    fi
    switch_to "$RELEASE"
    enable_units
    if comes_up; then
        return 0
    fi
    say "the new version doesn't come up; its last words:"
    journalctl -u hush.service -n 15 -o cat --no-pager >&2 || true
    if [[ $before && $before != "$RELEASE" ]]; then
        systemctl stop hush.service || true
        switch_to "$before"
        rm -rf "$RELEASE"
        comes_up || fail "the version before doesn't come up either: companion doctor"
        fail "rolled back to ${before##*/}, which runs"
    fi
    fail "Hush is installed but doesn't run: companion doctor"
}

# --- what a person asks for -----------------------------------------------------------------------------------------

do_install() {
    install_parts
    make_release
    make_user
    configure
    take_over
    drop_old_releases
    say "done. companion doctor checks the box; journalctl -u hush shows its log"
}

do_update() {
    [[ $(running_release) ]] || fail "Hush isn't installed here: sudo $0 install"
    do_install
}

do_rollback() {
    RELEASE=$(previous_release)
    [[ $RELEASE ]] || fail "there is no version before this one"
    say "going back to ${RELEASE##*/}"
    take_over
}

do_remove() {
    if [[ $START ]]; then
        act systemctl --quiet disable --now hush.service hush-shutdown.path 2>/dev/null || true
    elif [[ -e $ROOT/etc/systemd/system/hush.service ]]; then
        act systemctl --root="$ROOT" --quiet disable hush.service hush-shutdown.path
    fi
    local unit
    for unit in "${UNITS[@]}"; do
        act rm -f "$ROOT/etc/systemd/system/$unit"
    done
    act rm -rf "$HOME_OF_HUSH" "$ROOT/usr/local/bin/companion"
    [[ ! $START ]] || act systemctl daemon-reload
    if [[ $PURGE ]]; then
        act rm -rf "$ROOT/var/lib/hush" "$ROOT/var/cache/hush" "$ROOT/etc/hush"
        [[ $ROOT ]] || ! id -u hush >/dev/null 2>&1 || act userdel hush
        say "removed, with the saved games"
    else
        say "removed. The saved games in /var/lib/hush and the configuration in /etc/hush stay (--purge deletes them)"
    fi
}

# A test may take the functions alone.
if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    parse "$@"
    "do_$ACTION"
fi
