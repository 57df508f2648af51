#!/usr/bin/env bash
# From a bare Debian 12 machine to a decision tree of real data: packages, build, and a pipeline on several ranks.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=scripts/steps.sh
source "$here/steps.sh"
