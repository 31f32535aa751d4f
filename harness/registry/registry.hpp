// All variants of the program. Variants add themselves; the runner, timing and counters know them
// only through this.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/backend/queue.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

struct Parameter {
    std::string name;
    std::variant<std::int64_t, std::string> value;
};

// How a variant's blocks divide the board and how its rows lie in memory: what a model needs to
// continue small boards to large ones.
struct BlockGeometry {
    // Cells that a block computes, of every kernel; their least common multiple tiles the board for
    // all of them.
    std::vector<Size> regions;
    int row_alignment = 1;     // bytes to which rows are padded; 1: they are not
    int smallest_element = 0;  // bytes, of all fields
};

struct VariantInfo {
    std::string workload;
    ElementType cell = ElementType::uint32;
    std::string technique;
    std::string path;  // the parameters in the variant's name: "16x16/align128"
    std::vector<Parameter> parameters;
    std::string summary;  // one line: how memory is touched
    std::string source;   // who published it: author year, section
    int generations_per_launch = 1;
    Arithmetic arithmetic = Arithmetic::canonical;
    double bytes_per_cell = 0;  // that its steps must move in a generation, each for itself
    int threads_per_block = 0;
    std::size_t shared_bytes = 0;           // per block, at least
    int minimum_compute_capability = 0;     // 10 * major + minor
    std::optional<BlockGeometry> geometry;  // absent where blocks do not tile the board

    std::string name() const {
        return workload + "/" + technique + (path.empty() ? "" : "/" + path);
    }
};

// Makes the variant ready to run on a queue of its backend.
using ExecutionFactory = std::function<std::unique_ptr<Execution>(Queue&, const Problem&)>;

struct Variant {
    VariantInfo info;
    std::map<Backend, ExecutionFactory> factories;
    // The technique's own reason for not running a problem, where it has one.
    std::function<std::optional<std::string>(const Problem&)> unsupported;
};

// Makes variants of a workload of several steps in which each step has a technique of its own.
struct Composer {
    struct Step {
        std::string name;
        std::vector<std::string> choices;  // "halo/64x4/align128"
    };
    std::string workload;
    ElementType cell = ElementType::uint32;
    Backend backend = Backend::simt;
    std::vector<Step> steps;
    // `choices`: one of each step's. Throws Error(usage) where they cannot go together.
    std::function<Variant(const std::vector<std::string>& choices)> compose;
};

class Registry {
  public:
    // Adds a variant, or, to one of the same name and cell type, another backend.
    void add(VariantInfo info, Backend backend, ExecutionFactory factory,
             std::function<std::optional<std::string>(const Problem&)> unsupported = {});

    // In order of registration.
    const std::vector<Variant>& variants() const { return variants_; }

    // Says that a technique makes no sense for a workload, and why.
    void leave_out(std::string workload, std::string technique, std::string reason);
    struct LeftOut {
        std::string workload;
        std::string technique;
        std::string reason;
    };
    const std::vector<LeftOut>& left_out() const { return left_out_; }

    // Adds what composes variants of a workload's steps, for one backend.
    void add(Composer composer);
    const std::vector<Composer>& composers() const { return composers_; }

  private:
    std::vector<Variant> variants_;
    std::vector<LeftOut> left_out_;
    std::vector<Composer> composers_;
};

Registry& registry();

// Why `variant` cannot run `problem` for `generations` on a device with `limits`; nothing if it
// can.
std::optional<std::string> reason_to_skip(const Variant& variant, const Problem& problem,
                                          int generations, const DeviceLimits& limits,
                                          Backend backend);

// Runs `add` before main(): `static const Registration life([](Registry& registry) { ... });`
struct Registration {
    template <class Add>
    explicit Registration(Add&& add) {
        add(registry());
    }
};

}  // namespace camber
