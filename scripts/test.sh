#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests but the slow ones; a second call rebuilds nothing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=scripts/steps.sh
source "$here/steps.sh"

usage() {
    cat <<'END'
usage: scripts/test.sh [--preset NAME] [--install] [-- CTEST OPTIONS]
  --preset NAME  release (default), dev, asan, or ci (warnings are errors)
  --install      let scripts/setup.sh install packages through sudo
Everything after -- goes to ctest, e.g. -- -R layering
END
}

preset=release
setup_options=(--dev)
while (($# > 0)); do
    case $1 in
        --preset)
            (($# > 1)) || fail 64 "--preset needs a name"
            preset=$2
            shift
            ;;
        --install) setup_options+=(--install) ;;
        --help) usage && exit 0 ;;
        --) shift && break ;;
        *) usage >&2 && fail 64 "unknown option: $1" ;;
    esac
    shift
done

"$here/setup.sh" "${setup_options[@]}"
"$here/build.sh" --preset "$preset" --all
step "testing"
cd "$root"
ctest --preset "$preset" --parallel "$(nproc)" --output-junit "$root/build/$preset/tests.xml" "$@"
step "all tests passed"
