# shellcheck shell=bash
# Sourced by what builds the image's layer on plain Debian: systemd/image/layer/hush.yaml, as rpi-image-gen would read it.
# IGconf_hush_release is the release file. Needs python3-yaml.
LAYER=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../systemd/image/layer" && pwd)/hush.yaml
layer() { /usr/bin/python3 -c 'import sys, yaml; print(*yaml.safe_load(open(sys.argv[1]))["mmdebstrap"][sys.argv[2]], sep="\n")' "$LAYER" "$1"; }
# The layer's packages but those that Debian doesn't have: camera and pins.
mapfile -t PACKAGES < <(layer packages | grep -vx -e python3-picamera2 -e python3-lgpio)
mapfile -t HOOKS < <(layer customize-hooks)

# build_layer FOLDER PACKAGE,...: the layer on Debian's smallest system, with some packages more.
build_layer() {
    local hook options=(--include="$2,$(IFS=,; echo "${PACKAGES[*]}")")
    for hook in "${HOOKS[@]}"; do options+=(--customize-hook="$hook"); done
    mmdebstrap --quiet --variant=minbase "${options[@]}" trixie "$1"
    no_secrets "$1"
}

# no_secrets FOLDER: what is made at a box's first start isn't in an image.
no_secrets() {
    local path
    for path in var/lib/hush/page.json var/lib/hush-network/own.json var/tmp/hush.run; do
        [[ ! -e $1/$path ]] || { echo "FAIL $path is in the image"; exit 1; }
    done
}
