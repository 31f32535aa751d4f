// Alternative implementations of a workload's reference: the same result by other code, timed
// beside it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "workloads/core/workload.hpp"

namespace camber {

// Told of the passes of a generation: the name of each as it ends, after "" where the first begins.
using PassEnded = std::function<void(std::string_view pass)>;

struct ReferenceForm {
    std::string_view name;     // "five_passes"
    std::string_view summary;  // what it does, in a line; both for as long as the program runs
    ElementType cell = ElementType::float32;
    // Same computation as Workload::generation, apart from rounding.
    std::function<void(const State& from, State& to, const GenerationContext& context,
                       const PassEnded& ended)>
        generation;
};

class HasReferenceForms {
  public:
    virtual std::vector<ReferenceForm> reference_forms() const = 0;

  protected:
    ~HasReferenceForms() = default;
};

}  // namespace camber
