// A variant at work on one problem: what the runner drives without knowing the technique.
#pragma once

#include <optional>
#include <string_view>

#include "harness/base/boundary.hpp"
#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// The problem as a variant sees it.
struct Problem {
    Size size;
    Boundary boundary = Boundary::dead;
    ElementType cell = ElementType::uint32;
    ParameterSet parameters = {};  // of the workload's rules
};

struct ExchangeContext;

class Execution {
  public:
    virtual ~Execution() = default;

    virtual void upload(const State& initial) = 0;  // work recorded after one replays after any
    virtual void download(State& result) = 0;
    // Where a field's values lie now, as download() would give them; nullopt where they lie in
    // another form than cell by cell.
    virtual std::optional<CellsView> view(std::string_view /*field*/) const { return std::nullopt; }
    // What several places have of the board, and hold of each other; nullptr where there is one.
    virtual const ExchangeContext* divided() const { return nullptr; }
    // Poisons every cell that the next launch must write.
    virtual void poison(Poison poison) = 0;
    // Enqueues `generations`, a multiple of the variant's generations per launch. Asynchronous.
    virtual void advance(int generations) = 0;
};

}  // namespace camber
