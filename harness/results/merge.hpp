// Several visits to one case, in rounds of one process or in several processes, as one element of a
// results file.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace camber {

// Adds `benchmark` to benchmarks[] of `document`. Where an element of that name and repetition is
// there already, its samples, visits, kernel times and device states are extended, and everything
// that follows from the samples is computed anew, with `seed` for the intervals; of what does not
// depend on time (counters, the kernel's facts) the first is kept. A visit that failed makes the
// case a failed one. Samples of another number of generations are converted to the first visit's.
void merge_benchmark(nlohmann::ordered_json& document, const nlohmann::ordered_json& benchmark,
                     std::uint64_t seed);

// Speedups of all cases against `baseline`, a variant's name, each under its own conditions.
void add_speedups(nlohmann::ordered_json& document, const std::string& baseline);

}  // namespace camber
