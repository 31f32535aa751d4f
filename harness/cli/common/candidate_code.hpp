// The machine code of candidates' kernels for a GPU, which need not be here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/own/source/source.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

// What `cuobjdump -res-usage` says of the kernel of this mangled name: registers and local memory.
struct ResourceUsage {
    int registers = 0;
    int local_bytes = 0;
};
std::optional<ResourceUsage> parse_usage(std::string_view listing, std::string_view symbol);

// The kernels of the variant that was made of a file, in the order of its prediction, as compiled
// for the architecture that was predicted; or why they are not known: a phrase. Throws Stopped
// where work is to end.
std::variant<std::vector<results::Kernel>, std::string> candidate_code(
    const CandidateSource& source, const Prediction& prediction);

}  // namespace camber
