"""One measured command: wall seconds and peak memory of its processes, and medians of several."""

import json
import os
import pathlib
import statistics
import subprocess
import time

# Open MPI as in scripts/mpi_environment.sh: ranks share cores, are not pinned, and use shared memory only.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "self,vader,tcp",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}


def run(command, capture=False, allowed_codes=(0,)):
    """Runs the command; returns wall seconds, peak KiB of its largest process, and its output. Ends on failure."""
    environment = {**MPI_ENVIRONMENT, **os.environ}
    timed = ["/usr/bin/time", "-f", "peak_kib=%M", *map(str, command)]
    start = time.perf_counter()
    done = subprocess.run(timed, env=environment, text=True, capture_output=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode not in allowed_codes:
        raise SystemExit(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    peak = int(done.stderr.rsplit("peak_kib=", 1)[1].split()[0])
    return seconds, peak, done.stdout if capture else ""


def run_regrove(binary, arguments, folder, ranks=1, allowed_codes=(0,)):
    """Runs a job and returns (wall seconds, its summary)."""
    summary = pathlib.Path(folder) / "summary.json"
    launcher = ["mpirun", "-n", ranks] if ranks > 1 else []
    seconds, _, _ = run([*launcher, binary, *arguments, "--summary", summary, "--overwrite", "--progress", "off"],
                        allowed_codes=allowed_codes)
    return seconds, json.loads(summary.read_text())


def read_table(path):
    """Features (float32) and labels of a table."""
    import h5py
    import numpy

    with h5py.File(path, "r") as file:
        columns = file["columns"]
        features, label = [], None
        for index in sorted(columns, key=int):
            role = columns[index].attrs["role"]
            role = role.decode() if isinstance(role, bytes) else role
            if role == "feature":
                features.append(index)
            elif role == "label":
                label = columns[index][...]
        rows = numpy.empty((len(label), len(features)), dtype=numpy.float32)
        for place, index in enumerate(features):
            rows[:, place] = columns[index][...]
    return rows, label


def spread(values):
    """'median (least .. most)' of seconds."""
    return f"{statistics.median(values):8.2f}  ({min(values):.2f} .. {max(values):.2f})"
