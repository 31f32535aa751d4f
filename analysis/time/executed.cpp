#include "analysis/time/executed.hpp"

#include <cmath>

namespace camber {
namespace {

// Of a text, the share that hardly any data may take: more where it has a branch every dozen
// instructions.
constexpr double many_branches = 0.08;
constexpr double rarely_taken = 1.0 / 3;
constexpr double rarely_taken_with_many_branches = 3.0 / 4;

double rare_share(const results::Kernel& code) {
    const double all = instructions(code, {"total"});
    return all > 0 && instructions(code, {"control"}) >= many_branches * all
               ? rarely_taken_with_many_branches
               : rarely_taken;
}

// Of warps; a counted instruction of shared memory is one of the source, of which the compiler may
// make fewer.
double memory_instructions(const AccessCounts& counts) {
    return static_cast<double>(counts.instructions() - counts.constant_load.instructions);
}

}  // namespace

double instructions(const results::Kernel& code, std::initializer_list<const char*> classes) {
    double sum = 0;
    for (const char* name : classes)
        if (const auto found = code.instructions.find(name); found != code.instructions.end())
            sum += static_cast<double>(found->second);
    return sum;
}

Executions executions(const AccessCounts& counts, double warps, const results::Kernel& code) {
    const double in_text =
        instructions(code, {"global_loads", "global_stores", "shared_loads", "shared_stores",
                            "local_loads", "local_stores", "texture", "atomics"});
    const double rare = rare_share(code);
    if (in_text == 0 || warps == 0) return {1, 1 - rare, 1};
    const double ratio = memory_instructions(counts) / warps / in_text;
    if (ratio > 1) return {ratio, ratio * (1 - rare), ratio};
    const double usual = std::sqrt(ratio);
    return {usual, std::min(ratio, usual * (1 - rare)), 1};
}

}  // namespace camber
