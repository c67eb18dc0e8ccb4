#!/usr/bin/env bash
# Hush on a Raspberry Pi: install, update, roll back, remove. docs/dev/service.md says what each step is for, and what a
# power cut leaves at each of them.
set -euo pipefail
# The service's user must be able to read what root writes, whatever root's own habit is.
umask 022

usage() {
    cat <<'TEXT'
usage: sudo systemd/install.sh [install|update|rollback|remove] [options]

  install     put Hush on this machine and start it (the default; doing it twice changes nothing)
  update      install the version in this folder; if it doesn't come up, the one before comes back.
              What a power cut has damaged is made anew
  rollback    go back to the version before
  remove      take Hush off; saved games and the configuration stay

  --dry-run       say what would be done, do nothing
  --root DIR      work on the system in DIR instead of this one (nothing is started)
  --source PATH   the folder or wheel to install from (default: the folder this script is in)
  --wheels DIR    take Python packages from this folder alone, without a network
  --key FILE      the public key this release is signed with: the first one is kept, another one is refused
  --trust         from now on take releases of that other key, too
  --no-apt        leave the system's packages as they are
  --no-start      install, but start nothing
  --purge         with remove: saved games, configuration and the user go too
TEXT
}

# The folder itself, not the way through `current`, which soon leads elsewhere.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
ACTION=install DRY='' ROOT='' SOURCE=$(dirname "$HERE") WHEELS='' KEY='' TRUST='' APT=yes START=yes PURGE=''
PYTHON=${PYTHON:-/usr/bin/python3}
PATIENCE=${HUSH_PATIENCE:-10}
UNITS=(hush.service hush-shutdown.path hush-shutdown.service hush-request.path hush-request.service
    hush-network.path hush-network.timer hush-network.service hush-portal.socket hush-portal.service)
# Those that start with the machine.
WANTED=(hush.service hush-shutdown.path hush-request.path hush-network.path hush-network.timer)
# Units of software that isn't the distribution's. Here, unlike in /etc, `systemctl disable` takes no link away.
UNIT_FOLDER=/usr/local/lib/systemd/system
# What pip can't bring, or shouldn't on a Pi. libgl1 and libglib2.0-0 are what OpenCV's wheel is linked against.
NEEDED=(python3-venv openssl libgl1 libglib2.0-0)
# What a box can be without, one part less each: camera, pins, strip, voice, letters in pictures, hush.local, addresses on a
# Wi-Fi of its own, downloads. NetworkManager itself isn't brought: a system that has another one would have two.
WISHED=(python3-picamera2 python3-lgpio python3-spidev espeak-ng fonts-dejavu-core avahi-daemon libnss-mdns dnsmasq-base iw ca-certificates)

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
            --key) KEY=$(realpath "${2:?--key needs a file}"); shift ;;
            --trust) TRUST=yes ;;
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
    # Without links on the way, so that paths can be compared.
    HOME_OF_HUSH=$(realpath -m "$ROOT/opt/hush")
    CURRENT=$HOME_OF_HUSH/current
    KEYS=$HOME_OF_HUSH/keys
    PREVIOUS=$HOME_OF_HUSH/previous
    ADMIN_UNITS=$ROOT/etc/systemd/system
}

# Somebody whose connection broke may run this again while the first one is still at work.
work_alone() {
    [[ ! $DRY ]] && [[ $ACTION == install || -d $HOME_OF_HUSH ]] || return 0
    mkdir -p "$HOME_OF_HUSH"
    exec 9<"$HOME_OF_HUSH"
    flock -n 9 || fail "another install.sh is at work here: wait until it is done"
}

# --- on the disk, whenever the power goes ---------------------------------------------------------------------------

# place PATH COMMAND...: the command makes PATH.new, which then takes the place of PATH. A power cut leaves the old one
# or the new one, whole: the contents are on the disk before they get the name, and the name before the next step.
place() {
    local path=$1 folder
    folder=$(dirname "$path")
    shift
    act mkdir -p "$folder"
    act "$@" "$path.new"
    # A link is part of its folder, and what it points at may not be there yet.
    [[ -L $path.new ]] || act sync "$path.new"
    act mv -fT "$path.new" "$path"
    act sync "$folder"
}

# point LINK TARGET: the same for a link, unless it points there already.
point() {
    [[ $(readlink "$1") == "$2" ]] || place "$1" ln -sfn "$2"
}

# Everything that was written is on the disk when this returns.
settle() {
    local folder
    for folder in "$HOME_OF_HUSH" "$ROOT/etc" "$ROOT/usr/local" "$ROOT/var/lib"; do
        [[ ! -d $folder ]] || act sync -f "$folder" || fail "the disk doesn't keep what is written; nothing was switched"
    done
}

# --- the system's own parts -----------------------------------------------------------------------------------------

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# missing_of PACKAGE...: those that aren't here. Since Trixie some are called otherwise, and come by their old name.
missing_of() {
    local part
    for part in "$@"; do
        is_installed "$part" || is_installed "${part}t64" || printf '%s\n' "$part"
    done
}

get_parts() { act env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"; }

install_parts() {
    [[ $APT ]] || return 0
    local part needed wished
    mapfile -t needed < <(missing_of "${NEEDED[@]}")
    mapfile -t wished < <(missing_of "${WISHED[@]}")
    ((${#needed[@]} + ${#wished[@]})) || return 0
    say "installing ${needed[*]} ${wished[*]} with apt"
    act apt-get update -q || say "apt has no network; what is missing stays away"
    ((${#needed[@]} == 0)) || get_parts "${needed[@]}" || fail "without ${needed[*]} Hush can't be installed"
    # One by one where they don't come together: a system without the camera's package still has lights and buttons.
    ((${#wished[@]} == 0)) || get_parts "${wished[@]}" 2>/dev/null || for part in "${wished[@]}"; do
        get_parts "$part" || say "going on without $part; to have it later: the same command again"
    done
}

# --- keys: whose releases this box takes -----------------------------------------------------------------------------

# The first key is kept; a release of another one is taken only if somebody at the box says so.
check_key() {
    [[ $KEY ]] || return 0
    local name key
    for key in "$KEYS"/*.pem; do
        ! cmp -s "$key" "$KEY" || return 0
    done
    name=$("$PYTHON" "$HERE/bundle.py" fingerprint "$KEY")
    if [[ ! $TRUST ]] && compgen -G "$KEYS/*.pem" >/dev/null; then
        fail "this release is signed by another key ($name) than those this box takes; nothing was changed. \
If you trust whoever made it, add --trust"
    fi
    NEW_KEY=$name
}

keep_key() { [[ ! ${NEW_KEY:-} ]] || place "$KEYS/$NEW_KEY.pem" install -m 644 "$KEY"; }

make_user() {
    act systemd-sysusers ${ROOT:+--root="$ROOT"} "$HERE/hush.sysusers"
}

# --- releases: each version in a folder of its own, `current` points at the one that runs ----------------------------

# What a release is made of; the same source, units, Python and constraints give the same release.
fingerprint() {
    {
        "$PYTHON" --version
        "$PYTHON" "$HERE/packages.py" constraints
        (cd "$HERE" && hashes .)
        if [[ -d $SOURCE ]]; then
            (cd "$SOURCE" && hashes pyproject.toml companion vision hardware sounds)
        else
            sha256sum <"$SOURCE"
        fi
    } | sha256sum | cut -c1-12
}

hashes() { find "$@" -type f ! -name '*.pyc' -print0 | sort -z | xargs -0 sha256sum; }

# Everything is there and as it was when the release was made, read back from the disk; if not, it says what.
is_whole() { [[ -d ${1:-} ]] && "$PYTHON" "$HERE/release.py" check "$1"; }

# Also by a `current` that leads to nothing: what is half made there would be what runs.
is_pointed_at() { [[ $1 == "$(readlink -m "$CURRENT")" || $1 == "$(previous_release)" ]]; }

# find_release NAME: where this version is, whole (that is success), or where to make it. A folder that `current` or
# `previous` points at is left as it is: damaged or not, it may be what runs.
find_release() {
    local base=$HOME_OF_HUSH/releases/$1 number=1
    for RELEASE in "$base" "$base"-*; do
        [[ -d $RELEASE ]] || continue
        ! is_whole "$RELEASE" || return 0
        say "so this version is made anew"
    done
    RELEASE=$base
    while is_pointed_at "$RELEASE"; do
        number=$((number + 1))
        RELEASE=$base-$number
    done
    return 1
}

# May be interrupted at any time: without its list, which comes last, a release is nothing, and is made again.
make_release() {
    local name
    name=$(fingerprint)
    if find_release "$name"; then
        say "this version is here already"
        return 0
    fi
    say "making ${RELEASE##*/} (some minutes on a Pi)"
    act rm -rf "$RELEASE"
    act mkdir -p "$HOME_OF_HUSH/releases"
    # With the system's packages: picamera2, lgpio and spidev come from apt.
    act "$PYTHON" -m venv --system-site-packages "$RELEASE"
    if [[ $DRY ]]; then
        act "$RELEASE/bin/pip" install --constraint constraints.txt "$SOURCE"
        return 0
    fi
    SCRATCH=$(mktemp -d)
    trap 'rm -rf "$SCRATCH"' EXIT
    # lgpio makes a pipe in the working folder as soon as it is imported, and not every folder takes one.
    export LG_WD=$SCRATCH
    install_packages
    # The release carries its own units and this script, so that one link switches everything, there and back.
    cp -r "$HERE" "$RELEASE/systemd"
    seal_release
}

install_packages() {
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
}

# The list is written when everything in it is on the disk, and then believed only if the disk gives it all back.
seal_release() {
    "$PYTHON" "$HERE/release.py" list "$RELEASE" >"$SCRATCH/complete" || discard "the new version can't be read"
    settle
    place "$RELEASE/complete" cp "$SCRATCH/complete"
    is_whole "$RELEASE" || discard "the disk doesn't keep what is written"
}

# Without a desktop's libraries OpenCV's usual wheel can't be loaded; the headless one holds the same module.
mend_opencv() {
    "$RELEASE/bin/python" -c 'import cv2' 2>/dev/null && return 0
    local version
    version=$("$RELEASE/bin/python" -c 'import importlib.metadata as m; print(m.version("opencv-python"))') || return 0
    say "no libgl1 here: taking the headless OpenCV $version"
    "$RELEASE/bin/pip" uninstall --quiet --yes opencv-python
    "$RELEASE/bin/pip" install "$@" --no-deps "opencv-python-headless==$version" || true
}

discard() {
    rm -rf "$RELEASE"
    fail "$1; nothing was changed"
}

# In one step the units, the program and this script are those of another release: all are found through `current`.
# Starts that failed were the other one's.
switch_to() {
    act rm -f "$ROOT/var/lib/hush/starts"
    point "$CURRENT" "releases/${1##*/}"
}

running_release() { readlink -e "$CURRENT" || true; }

# The version before the one that runs. Each release points at its own, so that `current` switches both in one step.
# Where `current` leads nowhere any more, it is the newest that was finished, besides the one that was just made.
previous_release() {
    readlink -e "$CURRENT/previous" || readlink -e "$PREVIOUS" || [[ -d $CURRENT ]] && return 0
    local path newest=''
    for path in "$HOME_OF_HUSH"/releases/*; do
        if [[ -e $path/complete && $path != "${RELEASE:-}" && (! $newest || $path/complete -nt $newest/complete) ]]; then
            newest=$path
        fi
    done
    readlink -e "$newest" || true
}

# The whole release to come back to if this one doesn't come up: the one that runs, or the one before it.
way_back() {
    local path
    for path in "$(running_release)" "$(previous_release)"; do
        if [[ $path && $path != "$RELEASE" ]] && is_whole "$path"; then
            printf '%s' "$path"
            return 0
        fi
    done
}

# drop_old_releases RELEASE: when this one, which was found to be whole, is the one that runs; else one of the others
# may be the last that is.
drop_old_releases() {
    [[ $(running_release) == "$1" ]] || return 0
    local path
    for path in "$HOME_OF_HUSH"/releases/*; do
        [[ ! -d $path ]] || is_pointed_at "$path" || act rm -rf "$path"
    done
}

# --- units: links into `current`, the same for every release, so that a switch needn't touch them --------------------

link_units() {
    local unit
    for unit in "${UNITS[@]}"; do
        point "$ROOT$UNIT_FOLDER/$unit" "/opt/hush/current/systemd/$unit"
    done
    # Not by `systemctl enable`, which would follow the links and tie the units to one release.
    for unit in "${WANTED[@]}"; do
        point "$ADMIN_UNITS/multi-user.target.wants/$unit" "$UNIT_FOLDER/$unit"
    done
    # A unit in /etc hides ours: an earlier installer's, or an empty one, which systemd takes for a mask.
    for unit in "${UNITS[@]}"; do
        if [[ -e $ADMIN_UNITS/$unit || -L $ADMIN_UNITS/$unit ]]; then
            act rm -f "$ADMIN_UNITS/$unit"
        fi
    done
}

units_are_linked() {
    local unit
    for unit in "${UNITS[@]}"; do
        [[ $(readlink "$ROOT$UNIT_FOLDER/$unit") == "/opt/hush/current/systemd/$unit" ]] || return 1
        [[ ! -e $ADMIN_UNITS/$unit && ! -L $ADMIN_UNITS/$unit ]] || return 1
    done
}

# --- configuration and start ----------------------------------------------------------------------------------------

configure() {
    local file=$ROOT/etc/hush/hush.toml language
    # An empty one is what a power cut left.
    if [[ ! -s $file ]]; then
        language=$(sed -n 's/^LANG="\?\([a-z][a-z]\)_.*/\1/p' "$ROOT/etc/default/locale" 2>/dev/null || true)
        place "$file" new_configuration "$language"
    fi
    act install -d -m 750 "$ROOT/var/lib/hush"
    [[ $ROOT ]] || act chown hush:hush /var/lib/hush /etc/hush "$file"
    point "$ROOT/usr/local/bin/companion" /opt/hush/current/bin/companion
}

# new_configuration LANGUAGE PATH
new_configuration() {
    install -m 644 "$HERE/hush.toml" "$2"
    case $1 in
        nl | es | pl) sed -i "s/^# language = \"nl\" /language = \"$1\" /" "$2" ;;
    esac
}

# Whatever the machine is called, phones find the box as hush.local; a name that a person chose stays.
name_box() {
    local file=$ROOT/etc/avahi/avahi-daemon.conf
    if [[ ! -f $file ]] || grep -q '^host-name=' "$file"; then
        return 0
    fi
    place "$file" rename_in "$file" 's/^#\?host-name=.*/host-name=hush/'
    [[ ! $START ]] || act systemctl try-restart avahi-daemon.service || true
}

unname_box() {
    local file=$ROOT/etc/avahi/avahi-daemon.conf
    if [[ ! -f $file ]] || ! grep -q '^host-name=hush$' "$file"; then
        return 0
    fi
    place "$file" rename_in "$file" 's/^host-name=hush$/#host-name=foo/'
    [[ ! $START ]] || act systemctl try-restart avahi-daemon.service || true
}

# rename_in FILE CHANGE TARGET
rename_in() { sed "$2" "$1" >"$3"; }

# Started, ready within the unit's own time limit, and still the same process a moment later.
comes_up() {
    [[ $START ]] || return 0
    act systemctl daemon-reload
    act systemctl reset-failed hush.service 2>/dev/null || true
    act systemctl restart hush.service || return 1
    local unit
    for unit in "${WANTED[@]:1}"; do
        # An older version that is gone back to may not have it.
        [[ ! -e $CURRENT/systemd/$unit && ! $DRY ]] || act systemctl start "$unit" || return 1
    done
    [[ $DRY ]] && return 0
    local process
    process=$(systemctl show -P MainPID hush.service)
    sleep "$PATIENCE"
    [[ $(systemctl is-active hush.service) == active && $(systemctl show -P MainPID hush.service) == "$process" ]]
}

# This very version runs already, by its very units: a game isn't disturbed for nothing.
runs_already() {
    [[ $START && $(running_release) == "$RELEASE" ]] && units_are_linked &&
        [[ $(systemctl is-active "${WANTED[@]}" | sort -u) == active ]]
}

# Stopped by the version that runs, so that its own `companion dark` turns the lights off. One whose unit a power cut
# has damaged may not be there to be stopped.
stop_service() {
    [[ $START && -L $CURRENT ]] || return 0
    act systemctl daemon-reload
    act systemctl stop hush.service || true
}

take_over() {
    if runs_already; then
        link_units
        say "it runs already, and goes on undisturbed"
        return 0
    fi
    local before=''
    link_units
    settle
    if [[ $(running_release) != "$RELEASE" ]]; then
        before=$(way_back)
        [[ ! $before ]] || point "$RELEASE/previous" "../${before##*/}"
        stop_service
        switch_to "$RELEASE"
    fi
    point "$PREVIOUS" current/previous
    if comes_up; then
        # So that the password of the box's own Wi-Fi is made by now, to be told.
        [[ ! $START ]] || act systemctl start hush-network.service 2>/dev/null || true
        return 0
    fi
    say "the new version doesn't come up; its last words:"
    journalctl -u hush.service -n 15 -o cat --no-pager >&2 || true
    [[ $before ]] || fail "Hush is installed but doesn't run: companion doctor"
    stop_service
    switch_to "$before"
    comes_up || fail "the version before doesn't come up either: companion doctor"
    drop_old_releases "$before"
    fail "rolled back to ${before##*/}, which runs"
}

# --- what a person asks for -----------------------------------------------------------------------------------------

do_install() {
    # This script also lies in every release and in the package, where there is nothing to install from.
    [[ -f $SOURCE || -f $SOURCE/pyproject.toml ]] ||
        fail "there is nothing to install in $SOURCE: name a checkout or a wheel with --source"
    check_key
    install_parts
    make_release
    make_user
    configure
    keep_key
    name_box
    take_over
    drop_old_releases "$RELEASE"
    say "done. companion doctor checks the box; journalctl -u hush shows its log"
    [[ $DRY || ! $START ]] || "$CURRENT/bin/companion" address || true
}

do_update() {
    [[ -d $HOME_OF_HUSH/releases ]] || fail "Hush isn't installed here: sudo $0 install"
    do_install
}

do_rollback() {
    RELEASE=$(previous_release)
    [[ $RELEASE && $RELEASE != "$(running_release)" ]] || fail "there is no version before this one"
    is_whole "$RELEASE" || fail "there is no going back to that; nothing was changed. To mend what runs: sudo $0 update"
    say "going back to ${RELEASE##*/}"
    take_over
}

do_remove() {
    [[ ! $START ]] || act systemctl stop "${WANTED[@]}" hush-portal.socket hush-portal.service 2>/dev/null || true
    local unit wants=$ADMIN_UNITS/multi-user.target.wants
    for unit in "${UNITS[@]}"; do
        act rm -f "$wants/$unit"{,.new} "$ADMIN_UNITS/$unit" "$ROOT$UNIT_FOLDER/$unit"{,.new}
    done
    act rm -rf "$HOME_OF_HUSH" "$ROOT/usr/local/bin/companion"{,.new}
    # Networks that it has joined stay: somebody may be here by one of them.
    act rm -f "$ROOT/etc/NetworkManager/system-connections/hush-hotspot.nmconnection" "$ROOT/boot/firmware/hush-wifi.txt" \
        "$ROOT/etc/NetworkManager/dnsmasq-shared.d/hush.conf"
    unname_box
    [[ ! $START ]] || act systemctl daemon-reload
    if [[ $PURGE ]]; then
        act rm -rf "$ROOT/var/lib/hush" "$ROOT/var/lib/hush-network" "$ROOT/var/cache/hush" "$ROOT/etc/hush"
        [[ $ROOT ]] || ! id -u hush >/dev/null 2>&1 || act userdel hush
        say "removed, with the saved games"
    else
        say "removed. The saved games in /var/lib/hush and the configuration in /etc/hush stay (--purge deletes them)"
    fi
}

# A test may take the functions alone.
if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    parse "$@"
    work_alone
    "do_$ACTION"
fi
