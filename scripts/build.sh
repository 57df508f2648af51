#!/usr/bin/env bash
# Builds the binary and prints its path as the last line; installs nothing. A second call builds only what changed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=scripts/steps.sh
source "$here/steps.sh"

usage() {
    cat <<'END'
usage: scripts/build.sh [--preset NAME] [--all]
  --preset NAME  a configure preset of CMakePresets.json (release; also dev, ci, asan)
  --all          the tests too
The last line of standard output is the path of the binary `regrove`.
END
}

preset=release
targets=(--target regrove_cli)
while (($# > 0)); do
    case $1 in
        --preset)
            (($# > 1)) || fail 64 "--preset needs a name"
            preset=$2
            shift
            ;;
        --all) targets=() ;;
        --help) usage && exit 0 ;;
        *) usage >&2 && fail 64 "unknown option: $1" ;;
    esac
    shift
done

build=$root/build/$preset
cd "$root"
# --fresh: an earlier attempt that failed may have cached the wrong library (the serial HDF5, say).
if [[ ! -f $build/build.ninja ]]; then
    step "configuring $preset"
    quietly "$root/build/configure-$preset.log" cmake --fresh --preset "$preset" ||
        fail 69 "configuring failed; are all packages there? scripts/setup.sh --list prints the missing ones"
fi
step "building $preset"
if [[ -t 1 ]]; then
    cmake --build "$build" "${targets[@]}"
else
    NINJA_STATUS='[%f/%t %es] ' quietly "$root/build/build-$preset.log" cmake --build "$build" "${targets[@]}" ||
        fail 70 "the build failed"
fi
step "built"
printf '%s\n' "$build/regrove"
