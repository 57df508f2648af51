#!/usr/bin/env bash
# Installs the Debian packages that Regrove needs and that are missing: as root, or with --install through sudo.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/steps.sh
source "$here/steps.sh"

usage() {
    cat <<'END'
usage: scripts/setup.sh [--dev] [--install] [--list]
  --dev      also what the tests and the comparisons need (scripts/packages-dev.txt)
  --install  when not root, install through sudo
  --list     print the packages that are missing, one a line, and change nothing
Exit code 69: packages are missing and this user may not install them.
END
}

lists=("$here/packages.txt")
install=no
list_only=no
for argument in "$@"; do
    case $argument in
        --dev) lists+=("$here/packages-dev.txt") ;;
        --install) install=yes ;;
        --list) list_only=yes ;;
        --help) usage && exit 0 ;;
        *) usage >&2 && fail 64 "unknown option: $argument" ;;
    esac
done

mapfile -t wanted < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' -e 's/[[:space:]]//g' "${lists[@]}")
declare -A installed=()
while read -r package status; do
    [[ $status != installed ]] || installed[$package]=yes
done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null)
missing=()
for package in "${wanted[@]}"; do
    [[ -n ${installed[$package]:-} ]] || missing+=("$package")
done
if [[ $list_only == yes ]]; then
    ((${#missing[@]} == 0)) || printf '%s\n' "${missing[@]}"
    exit 0
fi
if ((${#missing[@]} == 0)); then
    step "all ${#wanted[@]} packages are installed"
    exit 0
fi

apt_install="apt-get install --no-install-recommends -y ${missing[*]}"
debian=$(. /etc/os-release 2>/dev/null && echo "${ID:-}") || debian=
if [[ $debian != debian ]] || ! command -v apt-get >/dev/null; then
    fail 69 "this is not Debian; install what corresponds to these packages: ${missing[*]}"
fi
as_root=()
if [[ $(id -u) != 0 ]]; then
    [[ $install == yes ]] || fail 69 "packages are missing; run as root, or call scripts/setup.sh --install, or: $apt_install"
    command -v sudo >/dev/null || fail 69 "there is no sudo; as root: $apt_install"
    as_root=(sudo)
fi

log_folder=$(mktemp -d)
trap 'rm -rf "$log_folder"' EXIT
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"
}
step "installing ${#missing[@]} packages: ${missing[*]}"
quietly "$log_folder/update.log" apt update || fail 69 "apt-get update failed"
quietly "$log_folder/install.log" apt install --no-install-recommends "${missing[@]}" || fail 69 "apt-get install failed"
step "packages are installed"
