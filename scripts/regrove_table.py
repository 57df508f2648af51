#!/usr/bin/env python3
"""Regrove tables from and to pandas frames (docs/table-format.md describes the file).

As a module:
    import regrove_table
    regrove_table.write_table(frame, "t.h5", roles={"price": "label"})
    frame = regrove_table.read_table("t.h5")

As a program:
    regrove_table.py from-csv FRAME.csv TABLE.h5 --label price --weight w
    regrove_table.py to-csv TABLE.h5 FRAME.csv
    regrove_table.py info TABLE.h5
    regrove_table.py verify TABLE.h5

Needs numpy, pandas and h5py (Debian: python3-h5py, python3-pandas).
"""
import argparse
import sys

import h5py
import numpy as np
import pandas as pd

FORMAT = "regrove-table"
VERSION = 1
ROLES = ("feature", "label", "weight", "group", "fold", "id")
CELL_TYPES = {"float32": "<f4", "float64": "<f8", "int32": "<i4", "int64": "<i8", "category": "<i4"}
CHUNK_ROWS = 65536

MISSING_WORD = np.uint64(0x676E697373696D21)
ROW_STEP = np.uint64(0x9E3779B97F4A7C15)
EXACT_IN_DOUBLE = 2**53


def _mix(x):
    """The finalizer of SplitMix64, on uint64 arrays."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _text_words(texts):
    """FNV-1a hashes, 64 bits, of the texts' UTF-8 bytes."""
    words = np.empty(len(texts), np.uint64)
    for i, text in enumerate(texts):
        word = 0xCBF29CE484222325
        for byte in text.encode("utf-8"):
            word = (word ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        words[i] = word
    return words


def _cell_words(cells, kind, categories):
    """One 64-bit word a cell."""
    if kind == "category":
        words = np.append(_text_words(categories), MISSING_WORD)
        return words[cells]  # code -1 takes the last, the missing one
    if kind == "text":
        return np.where(cells == "", MISSING_WORD, _text_words(cells))
    words = cells.astype("<f8").view("<u8")
    if kind in ("float32", "float64"):
        return np.where(np.isnan(cells), MISSING_WORD, words)
    if kind == "int64":
        exact = (cells <= EXACT_IN_DOUBLE) & (cells >= -EXACT_IN_DOUBLE)
        words = np.where(exact, words, cells.view("<u8"))
    return np.where(cells == np.iinfo(CELL_TYPES[kind]).min, MISSING_WORD, words)


def column_hash(cells, kind, index, categories=()):
    """(high, low) of the column with this index in the table; the sum over all columns is the content hash."""
    words = _cell_words(cells, kind, categories)
    rows = np.arange(len(words), dtype=np.uint64)
    position = _mix(rows * ROW_STEP + _mix(np.array([index + 1], np.uint64)))
    low = _mix(words ^ position)
    high = _mix(low + position)
    return int(high.sum(dtype=np.uint64)), int(low.sum(dtype=np.uint64))


def _add(a, b):
    return tuple((x + y) % 2**64 for x, y in zip(a, b))


def _hex(pair):
    return "%016x%016x" % pair


def _encode(name, series, role):
    """The cells of a pandas column, its Regrove type, and its dictionary."""
    if isinstance(series.dtype, pd.CategoricalDtype) or (role != "id" and _holds_texts(series)):
        categorical = series.astype("category").cat
        return categorical.codes.to_numpy().astype("<i4"), "category", [str(c) for c in categorical.categories]
    if role == "id" and _holds_texts(series):
        return np.array(["" if pd.isna(v) else str(v) for v in series], object), "text", []
    has_missing = series.isna().any()
    if pd.api.types.is_bool_dtype(series) or pd.api.types.is_integer_dtype(series):
        narrow = ("bool", "boolean", "int8", "int16", "int32", "uint8", "uint16")
        kind = "int32" if series.dtype.name.lower() in narrow else "int64"
        missing = np.iinfo(CELL_TYPES[kind]).min
        if (series.dropna() == missing).any():
            raise ValueError(f"column '{name}': the value {missing} stands for missing in a {kind} column")
        cells = series.astype(object).where(series.notna(), missing) if has_missing else series
        if kind == "int64" and not has_missing and (series > np.iinfo(np.int64).max).any():
            raise ValueError(f"column '{name}': a value does not fit in int64")
        return cells.to_numpy().astype(CELL_TYPES[kind]), kind, []
    if pd.api.types.is_float_dtype(series):
        kind = "float32" if series.dtype.name.lower() == "float32" else "float64"
        return series.to_numpy(dtype=CELL_TYPES[kind], na_value=np.nan), kind, []
    raise ValueError(f"column '{name}': cannot store a pandas column of type {series.dtype}")


def _holds_texts(series):
    return pd.api.types.is_object_dtype(series) or pd.api.types.is_string_dtype(series)


def write_table(frame, path, roles=None, compress=False):
    """Writes a frame. `roles` maps column names to label, weight, group, fold or id; all others are features.

    Categoricals and texts become categories; texts in columns of role id stay texts. None and NaN are missing.
    """
    roles = roles or {}
    for name, role in roles.items():
        if name not in frame.columns:
            raise ValueError(f"no column '{name}' for the role {role}")
        if role not in ROLES:
            raise ValueError(f"unknown role '{role}'; known are {', '.join(ROLES)}")
    text_type = h5py.string_dtype("utf-8")
    total = (0, 0)
    with h5py.File(path, "w") as file:
        file.attrs["format"] = FORMAT
        file.attrs["version"] = VERSION
        file.attrs["rows"] = len(frame)
        file.attrs["columns"] = len(frame.columns)
        for index, name in enumerate(frame.columns):
            role = roles.get(name, "feature")
            cells, kind, categories = _encode(name, frame[name], role)
            settings = {}
            if len(frame) > 0 and kind != "text":
                settings = {"chunks": (min(CHUNK_ROWS, len(frame)),), "fletcher32": True}
                if compress:
                    settings.update(shuffle=True, compression="gzip", compression_opts=1)
            dtype = text_type if kind == "text" else CELL_TYPES[kind]
            data = file.create_dataset(f"columns/{index}", data=cells, dtype=dtype, **settings)
            data.attrs["name"] = str(name)
            data.attrs["type"] = kind
            data.attrs["role"] = role
            if kind == "category":
                file.create_dataset(f"dictionaries/{index}", data=np.array(categories, object), dtype=text_type)
            own = column_hash(cells, kind, index, categories)
            data.attrs["hash"] = _hex(own)
            total = _add(total, own)
        file.attrs["content_hash"] = _hex(total)


def _text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _columns(file, path):
    """(index, name, type, role, cells, categories) of each column."""
    if _text(file.attrs.get("format", "")) != FORMAT:
        raise ValueError(f"{path} is no Regrove table")
    if file.attrs["version"] != VERSION:
        raise ValueError(f"{path} is a table of format version {file.attrs['version']}; this script reads {VERSION}")
    for index in range(int(file.attrs["columns"])):
        data = file[f"columns/{index}"]
        kind = _text(data.attrs["type"])
        categories = [_text(c) for c in file[f"dictionaries/{index}"][:]] if kind == "category" else []
        cells = data[:]
        if kind == "text":
            cells = np.array([_text(c) for c in cells], object)
        else:
            cells = cells.astype(CELL_TYPES[kind])
        yield index, _text(data.attrs["name"]), kind, _text(data.attrs["role"]), cells, categories


def read_table(path):
    """The table as a frame; `frame.attrs["roles"]` maps column names to roles.

    Integer columns with missing cells come as pandas' nullable Int32 or Int64, categories as Categoricals.
    """
    series = {}
    roles = {}
    with h5py.File(path, "r") as file:
        for _, name, kind, role, cells, categories in _columns(file, path):
            roles[name] = role
            if kind == "category":
                series[name] = pd.Categorical.from_codes(cells, categories)
            elif kind in ("int32", "int64") and (cells == np.iinfo(cells.dtype).min).any():
                series[name] = pd.arrays.IntegerArray(cells, cells == np.iinfo(cells.dtype).min)
            elif kind == "text":
                series[name] = np.where(cells == "", None, cells)
            else:
                series[name] = cells
    frame = pd.DataFrame(series)
    frame.attrs["roles"] = roles
    return frame


def content_hash(path):
    """The content hash of the cells as they are in the file now, as 32 hexadecimal digits."""
    total = (0, 0)
    with h5py.File(path, "r") as file:
        for index, _, kind, _, cells, categories in _columns(file, path):
            total = _add(total, column_hash(cells, kind, index, categories))
    return _hex(total)


def verify(path):
    """Raises ValueError unless the cells have the stored content hash; returns the hash."""
    with h5py.File(path, "r") as file:
        stored = _text(file.attrs.get("content_hash", ""))
    found = content_hash(path)
    if stored and stored != found:
        raise ValueError(f"{path}: the cells have the content hash {found}, not {stored} as stored")
    return found


def _describe(path):
    with h5py.File(path, "r") as file:
        print(f"{int(file.attrs['rows'])} rows, content hash {_text(file.attrs.get('content_hash', 'not stored'))}")
        for _, name, kind, role, _, categories in _columns(file, path):
            print(f"{role:8} {kind:9} {name}" + (f" ({len(categories)} categories)" if categories else ""))


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(dest="job", required=True)
    from_csv = jobs.add_parser("from-csv", help="a table from a CSV file, read by pandas")
    from_csv.add_argument("frame")
    from_csv.add_argument("table")
    from_csv.add_argument("--compress", action="store_true")
    for role in ROLES[1:]:
        from_csv.add_argument(f"--{role}", action="append" if role == "id" else None, metavar="COLUMN")
    to_csv = jobs.add_parser("to-csv", help="a CSV file from a table")
    to_csv.add_argument("table")
    to_csv.add_argument("frame")
    for job, text in (("info", "rows, hash and columns"), ("verify", "compare the cells with the stored hash")):
        jobs.add_parser(job, help=text).add_argument("table")
    return parser.parse_args()


def main():
    arguments = _arguments()
    if arguments.job == "from-csv":
        roles = {getattr(arguments, role): role for role in ROLES[1:-1] if getattr(arguments, role)}
        roles.update({name: "id" for name in arguments.id or []})
        write_table(pd.read_csv(arguments.frame), arguments.table, roles, arguments.compress)
    elif arguments.job == "to-csv":
        read_table(arguments.table).to_csv(arguments.frame, index=False)
    elif arguments.job == "info":
        _describe(arguments.table)
    else:
        print(verify(arguments.table))


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"regrove_table.py: {error}")
