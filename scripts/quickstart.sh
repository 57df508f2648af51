#!/usr/bin/env bash
# From a bare Debian 12 machine to a decision tree of real data: packages, build, and a pipeline on several ranks.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=scripts/steps.sh
source "$here/steps.sh"

usage() {
    cat <<'END'
usage: scripts/quickstart.sh [--ranks N] [--dir DIR] [--preset NAME] [--install]
  --ranks N      MPI ranks (2)
  --dir DIR      where the results go (run-quickstart in the checkout)
  --preset NAME  which build to use (release)
  --install      let scripts/setup.sh install packages through sudo
END
}

ranks=2
run=$root/run-quickstart
preset=release
setup_options=()
while (($# > 0)); do
    case $1 in
        --ranks | --dir | --preset)
            (($# > 1)) || fail 64 "$1 needs a value"
            case $1 in
                --ranks) ranks=$2 ;;
                --dir) run=$2 ;;
                --preset) preset=$2 ;;
            esac
            shift
            ;;
        --install) setup_options+=(--install) ;;
        --help) usage && exit 0 ;;
        *) usage >&2 && fail 64 "unknown option: $1" ;;
    esac
    shift
done
[[ $ranks =~ ^[1-9][0-9]*$ ]] || fail 64 "--ranks takes a whole number from 1, not '$ranks'"

"$here/setup.sh" "${setup_options[@]}"
regrove=$("$here/build.sh" --preset "$preset" | tail -n 1)

# shellcheck source=scripts/mpi_environment.sh
source "$here/mpi_environment.sh"
step "on $ranks ranks: read the table, grow the exact tree, evaluate, draw"
mpirun -n "$ranks" "$regrove" run "$root/configs/wdbc_exact_tree.toml" --dir "$run"

step "the results are in $run:"
find "$run" -type f \( -name '*.svg' -o -name '*.png' -o -name '*.json' -o -name '*.csv' -o -name '*.h5' \) \
    -not -path '*/.*' | sort | sed 's/^/    /'
tree=$(find "$run" -name '*.svg' | sort | head -n 1)
[[ -s $tree ]] || fail 70 "the run wrote no picture"
step "look at the tree: $tree"
