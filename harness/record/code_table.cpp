#include "harness/record/code_table.hpp"

#include <algorithm>
#include <utility>

#include "harness/base/boundary.hpp"

namespace camber::results {
namespace {

std::string key_of(const std::string& variant, const std::string& cell, Boundary boundary) {
    return variant + " " + cell + " " + std::string(name(boundary));
}

bool is_complete(const Kernel& kernel) {
    return kernel.occupancy && !kernel.instructions.empty();
}

}  // namespace

const std::vector<Kernel>* CodeTable::find(const std::string& variant, const std::string& cell,
                                           Boundary boundary) const {
    const auto found = variants_.find(key_of(variant, cell, boundary));
    return found == variants_.end() ? nullptr : &found->second;
}

void CodeTable::add(const std::string& variant, const std::string& cell, Boundary boundary,
                    std::vector<Kernel> kernels) {
    variants_.try_emplace(key_of(variant, cell, boundary), std::move(kernels));
}

CodeTable CodeTable::of(const Document& document) {
    CodeTable table;
    table.origin = document.source;
    if (document.run() && document.run()->gpu) table.arch = document.run()->gpu->compute_capability;
    for (const CaseRecord& record : document.cases)
        if (!record.kernels.empty() && std::ranges::all_of(record.kernels, is_complete))
            table.add(record.identity.variant, record.identity.cell,
                      record.identity.boundary.value_or(Boundary::dead), record.kernels);
    return table;
}

}  // namespace camber::results
