# shellcheck shell=bash
# Step lines with the time since the script began; long output goes to a log that is shown only on failure.

steps_name=$(basename "$0")

# step WORDS...: one line on standard error.
step() {
    printf '[%s %3dm%02ds] %s\n' "$steps_name" $((SECONDS / 60)) $((SECONDS % 60)) "$*" >&2
}

# fail CODE WORDS...: says what is wrong and ends the script.
fail() {
    local code=$1
    shift
    printf '%s: %s\n' "$steps_name" "$*" >&2
    exit "$code"
}

# quietly LOG COMMAND...: runs the command with its output in LOG; on failure shows the end of it and returns its code.
quietly() {
    local log=$1 code=0
    shift
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 </dev/null || code=$?
    if ((code != 0)); then
        tail -n 40 "$log" >&2
        printf '%s: failed (%d): %s (all of it in %s)\n' "$steps_name" "$code" "$*" "$log" >&2
    fi
    return "$code"
}
