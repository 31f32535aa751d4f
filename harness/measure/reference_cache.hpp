// What the plain reference of a long run came to, kept for the next run from the same start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/cache_folder.hpp"
#include "harness/measure/ledger.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

struct KeptReference {
    State state;
    std::vector<Ledger::Row> rows;
};

// One reference: that of these generations from this start.
class ReferenceCache {
  public:
    // `program`: tells builds of the reference apart; "": nothing is kept.
    ReferenceCache(CacheFolder folder, std::string_view program, const Workload& workload,
                   const State& start, const GenerationContext& context, int generations);

    // Nothing where no such reference was kept, or its file is damaged.
    std::optional<KeptReference> read() const;
    // To the last bit. Too large a state is not kept; the oldest references make way.
    void write(const State& state, const std::vector<Ledger::Row>& rows) const;

  private:
    CacheFolder folder_;
    struct Form {
        std::string name;
        ElementType element;
        Size size;
    };
    std::vector<Form> fields_;  // of the state
    std::string key_;           // all that the reference depends on; "": nothing is kept
    std::string name_;
};

// The linker's mark of the program that has the reference; "" where it left none.
std::string program_mark();

// Whether computing it takes longer than finding it: of flows of lava over many steps.
bool is_worth_keeping(const Workload& workload, Size size, int generations);

}  // namespace camber
