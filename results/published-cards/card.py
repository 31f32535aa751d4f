"""A card's limits, each with its source, in the form of `camber ceilings --json`."""


class Card:
    """Collects figures, each with its source."""

    def __init__(self, file, name, capability, facts):
        self.file, self.name, self.capability = file, name, capability
        self.facts = {key: value for key, (value, _) in facts.items()}
        self.sources = [(key, f"{value:,}", source) for key, (value, source) in facts.items()]
        self.ceilings = {}

    def curve(self, name, points, source):
        self.ceilings[name] = [{"working_set_bytes": size, "bytes_per_second": gigabytes * 1e9}
                               for size, gigabytes in points]
        text = ", ".join(f"{gigabytes} GB/s at {size / (1 << 20):.4g} MiB" for size, gigabytes in points)
        self.sources.append((name, text, source))

    def rate(self, name, per_second, text, source):
        self.ceilings[name] = per_second
        self.sources.append((name, text, source))

    def lanes(self, name, per_cycle, flops, source):
        """Of every multiprocessor, in a cycle of its clock."""
        self.rate(name, per_cycle * flops * self.facts["sm_count"] * self.facts["sm_clock_hz"],
                  f"{per_cycle} a cycle and multiprocessor", source)

    def cycles(self, name, count, source):
        self.rate(name, count / self.facts["sm_clock_hz"], f"{count} cycles", source)

    def nanoseconds(self, name, count, source):
        self.rate(name, count * 1e-9, f"{count} ns", source)

    def words(self, name, per_cycle, source):
        """Of 4 bytes, as lanes."""
        self.rate(name, 4 * per_cycle * self.facts["sm_count"] * self.facts["sm_clock_hz"],
                  f"{per_cycle} words of 4 bytes a cycle and multiprocessor", source)

    def pins(self, gigabytes, source):
        self.rate("pin_bytes_per_second", gigabytes * 1e9, f"{gigabytes} GB/s", source)

    def document(self):
        gpu = {"name": f"{self.name}, published figures", "index": 0,
               "compute_capability": self.capability, "sm_count": self.facts["sm_count"],
               "l2_bytes": self.facts.get("l2_bytes"), "memory_bytes": None, "memory_clock_hz": None,
               "sm_clock_hz": self.facts["sm_clock_hz"], "ecc": None}
        return {
            "context": {
                "date": "", "host_name": "", "executable": "make.py", "num_cpus": 0,
                "mhz_per_cpu": 0, "caches": [], "load_avg": [], "library_build_type": "",
                "camber": {"schema_version": 1, "version": "0.1.0", "command": ["make.py"],
                           "gpu": gpu, "driver": None, "runtime": None, "compiler": "", "flags": "",
                           "build_type": "", "host": "", "git": None, "date": "",
                           "ceilings": {}}},
            "ceilings": self.ceilings}
