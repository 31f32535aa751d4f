"""Columns of the tables, with their units and their places in the files of the program.

A path such as ``statistics.n`` names a key of the schemas in results/schema: below
``benchmarks[].camber`` for cases, below ``models[]`` for predictions. Where a path has two
alternatives, the second one is that of older files. Columns without a path follow from others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Kind = Literal["text", "count", "number", "flag"]
Table = dict[str, "npt.NDArray[Any]"]
"""Columns by name, all of one length."""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind  # text; count: whole number; number; flag: true or false
    unit: str  # "" for text, flags and plain numbers
    path: str  # key in the file; "" if the column follows from others
    description: str


CASES = (
    Column("file", "text", "", "", "File name, as given to read()"),
    Column(
        "case", "text", "", "run_name", "Name of the case: unique in a file, but for repetitions"
    ),
    Column("device", "text", "", "", "GPU, or processor of the simt and cpu backends"),
    Column("backend", "text", "", "backend", "cuda, simt or cpu"),
    Column("workload", "text", "", "workload", "What is computed"),
    Column("technique", "text", "", "technique", "Memory access technique"),
    Column("variant", "text", "", "variant", "Workload, technique and parameters in one name"),
    Column("columns", "count", "count", "size.columns", "Board size along x"),
    Column("rows", "count", "count", "size.rows", "Board size along y"),
    Column("cell", "text", "", "cell", "Cell type"),
    Column("boundary", "text", "", "boundary", "Cells beyond the edge: dead or torus"),
    Column("rule", "text", "", "rule", "Rule, if it is not the workload's usual one"),
    Column("generations", "count", "count", "generations", "Generations of the verified run"),
    Column("cache", "text", "", "cache", "L2 state before a timed launch: hot or cold"),
    Column("submission", "text", "", "submission", "Launches one by one (stream) or as a graph"),
    Column("repetition", "count", "index", "repetition_index", "Number of the repetition"),
    Column("status", "text", "", "status", "ok, skipped or failed"),
    Column("reason", "text", "", "reason", "Why the case was skipped or failed"),
    Column("verification", "text", "", "verification.status", "passed, failed or skipped"),
    Column(
        "compared_cells",
        "count",
        "count",
        "verification.compared_cells",
        "Cells compared with the reference",
    ),
    Column(
        "differing_cells",
        "count",
        "count",
        "verification.differing_cells",
        "Cells beyond the tolerance",
    ),
    Column(
        "generations_per_launch",
        "count",
        "count",
        "generations_per_launch",
        "Generations that one launch computes",
    ),
    Column("samples", "count", "count", "statistics.n", "Number of samples"),
    Column("median_ns", "number", "ns per generation", "per_generation.median_ns", "Median time"),
    Column("min_ns", "number", "ns per generation", "per_generation.min_ns", "Shortest time"),
    Column("iqr_ns", "number", "ns per generation", "per_generation.iqr_ns", "Interquartile range"),
    Column(
        "ci95_low_ns",
        "number",
        "ns per generation",
        "per_generation.ci95_ns.0",
        "95 % interval of the median, lower end",
    ),
    Column(
        "ci95_high_ns",
        "number",
        "ns per generation",
        "per_generation.ci95_ns.1",
        "95 % interval of the median, upper end",
    ),
    Column(
        "kernel_ns",
        "number",
        "ns per generation",
        "kernel_times.ns_per_generation",
        "Time of the kernels alone, by the device clock",
    ),
    Column(
        "launch_gap_ns",
        "number",
        "ns",
        "kernel_times.launch_gap_ns",
        "Time per launch without its kernels",
    ),
    Column(
        "cells_per_second",
        "number",
        "cells/s",
        "derived.cells_per_second",
        "Cell updates per second",
    ),
    Column(
        "bytes_per_second",
        "number",
        "bytes/s",
        "derived.application_bandwidth_bytes_per_second",
        "Application bandwidth: bytes that must be moved, per second",
    ),
    Column(
        "share_of_copy",
        "number",
        "share (1 is 100 %)",
        "derived.share_of_copy",
        "Application bandwidth over copy bandwidth",
    ),
    Column(
        "step_share_of_copy",
        "number",
        "share (1 is 100 %)",
        "derived.step_share_of_copy",
        "The same with the bytes that the variant's steps must move",
    ),
    Column("limit", "text", "", "derived.limit", "Resource with the largest share of its ceiling"),
    Column(
        "share_of_limit", "number", "share (1 is 100 %)", "derived.share_of_limit", "That share"
    ),
    Column(
        "speedup",
        "number",
        "ratio",
        "derived.speedup_vs_baseline",
        "Median time of the baseline over that of the variant",
    ),
    Column(
        "registers",
        "count",
        "count",
        "kernel.registers",
        "Registers per thread of the first kernel",
    ),
    Column(
        "static_shared_bytes",
        "count",
        "bytes",
        "kernel.static_shared_bytes",
        "Static shared memory per block",
    ),
    Column(
        "dynamic_shared_bytes",
        "count",
        "bytes",
        "kernel.dynamic_shared_bytes",
        "Dynamic shared memory per block",
    ),
    Column(
        "local_bytes", "count", "bytes", "kernel.local_bytes", "Local memory per thread (spills)"
    ),
    Column(
        "occupancy", "number", "share (1 is 100 %)", "kernel.occupancy", "Theoretical occupancy"
    ),
    Column("checksum", "text", "", "final.checksum", "Hash of the final state"),
)

SAMPLES = (
    *(column for column in CASES if column.name in ("file", "case", "variant")),
    Column("sample", "count", "index", "", "Number of the sample, in the order of measurement"),
    Column("process", "count", "index", "visits[].process", "Process that measured it"),
    Column("round", "count", "index", "visits[].round", "Round over all cases"),
    Column(
        "ns",
        "number",
        "ns per generation",
        "",
        "Time: an entry of samples_ns over generations_per_sample",
    ),
)

COUNTERS = (
    *(column for column in CASES if column.name in ("file", "case", "variant")),
    Column("kernel", "text", "", "kernel_counters[].name", "Kernel; empty for the whole launch"),
    Column(
        "launch",
        "count",
        "index",
        "",
        "Number of the kernel within the launch; 0 for the whole launch",
    ),
    Column("metric", "text", "", "", "Name of the hardware counter"),
    Column(
        "value",
        "number",
        "",
        "",
        "Value: a count; bytes, ns (duration) or % as the metric's name says",
    ),
)

_COUNTED = {
    "launches": "Kernels launched",
    "global_load_requests": "Load instructions of warps",
    "global_load_sectors": "Sectors of 32 bytes loaded",
    "global_store_requests": "Store instructions of warps",
    "global_store_sectors": "Sectors of 32 bytes stored",
    "shared_load_wavefronts": "Passes over the banks of shared memory by loads",
    "shared_load_bank_conflicts": "Of these, due to bank conflicts",
    "shared_store_wavefronts": "Passes by stores",
    "shared_store_bank_conflicts": "Of these, due to bank conflicts",
}
_BYTES = {
    "global_load_bytes_moved": "Bytes of the sectors loaded",
    "global_load_bytes_used": "Of these, the bytes that lanes use",
    "global_store_bytes_moved": "Bytes of the sectors stored",
    "global_store_bytes_used": "Of these, the bytes that lanes write",
    "block_distinct_bytes": "Distinct bytes of each block, summed over blocks",
    "compulsory_dram_bytes": "Distinct bytes of the largest kernel",
}

PREDICTIONS = (
    Column("file", "text", "", "", "File name, as given to read()"),
    Column("workload", "text", "", "", "What is computed"),
    Column("technique", "text", "", "", "Memory access technique"),
    Column("variant", "text", "", "variant", "Workload, technique and parameters in one name"),
    Column("columns", "count", "count", "size.columns", "Board size along x"),
    Column("rows", "count", "count", "size.rows", "Board size along y"),
    Column("cell", "text", "", "cell", "Cell type"),
    Column("boundary", "text", "", "boundary", "Cells beyond the edge: dead or torus"),
    Column("rule", "text", "", "rule", "Rule, if it is not the workload's usual one"),
    Column("status", "text", "", "", "ok, or skipped"),
    Column("reason", "text", "", "reason", "Why there is no prediction"),
    Column(
        "generations_per_launch",
        "count",
        "count",
        "generations_per_launch",
        "Generations of the predicted launch; amounts are per launch",
    ),
    Column("arch", "text", "", "arch", "Compute capability whose rules apply"),
    Column("method", "text", "", "method", "extrapolated, simulated or sampled"),
    *(Column(name, "count", "count", name, text) for name, text in _COUNTED.items()),
    *(Column(name, "count", "bytes", name, text) for name, text in _BYTES.items()),
    Column(
        "bytes_moved", "count", "bytes", "bytes_moved", "Bytes of global, texture and local memory"
    ),
    Column(
        "bytes_needed",
        "number",
        "bytes",
        "bytes_needed",
        "Each cell read once and written once per generation",
    ),
    Column("moved_over_needed", "number", "ratio", "", "bytes_moved / bytes_needed"),
    Column(
        "predicted_ns",
        "number",
        "ns per generation",
        "per_generation.predicted_ns",
        "Predicted time (with ceilings)",
    ),
    Column(
        "predicted_low_ns",
        "number",
        "ns per generation",
        "per_generation.low_ns",
        "Predicted interval, lower end",
    ),
    Column(
        "predicted_high_ns",
        "number",
        "ns per generation",
        "per_generation.high_ns",
        "Predicted interval, upper end",
    ),
    Column(
        "binding",
        "text",
        "",
        "time.binding",
        "Resource with the largest part of the predicted time",
    ),
    Column("uncertain", "flag", "", "", "The predicted time is uncertain"),
    Column("agrees", "flag", "", "", "The counters of the same launch agree (counted cases only)"),
)

COLUMNS: Mapping[str, tuple[Column, ...]] = {
    "frame": CASES,
    "samples": SAMPLES,
    "counters": COUNTERS,
    "predictions": PREDICTIONS,
}
"""Columns of :meth:`Results.frame` and the other tables, by method name."""


def value_at(node: Any, path: str) -> Any:
    """Returns the value at a dotted path, or None."""
    for key in path.split("."):
        if isinstance(node, Mapping):
            node = node.get(key)
        elif isinstance(node, Sequence) and not isinstance(node, str) and key.isdigit():
            node = node[int(key)] if int(key) < len(node) else None
        else:
            return None
    return node


def as_arrays(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> Table:
    """Converts rows to arrays: text and flags as objects with None where a value is missing, counts
    as int64 (float64 with NaN if any is missing), numbers as float64 with NaN."""
    table: Table = {}
    for column in columns:
        values = [row.get(column.name) for row in rows]
        if column.kind in ("text", "flag"):
            array = np.empty(len(values), dtype=object)
            array[:] = values
        elif column.kind == "count" and None not in values:
            array = np.array(values, dtype=np.int64)
        else:
            array = np.array(
                [np.nan if value is None else value for value in values], dtype=np.float64
            )
        table[column.name] = array
    return table
