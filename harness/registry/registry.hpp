// Registry of all variants of the program. Variants register themselves; the runner, the timer and
// the counters access them only through it.
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

#include "harness/machine/queue/queue.hpp"
#include "harness/record/conditions.hpp"
#include "harness/registry/division.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

struct Parameter {
    std::string name;
    std::variant<std::int64_t, std::string> value;
};

struct VariantInfo {
    std::string workload;
    ElementType cell = ElementType::uint32;
    TechniqueInfo technique;
    std::string form;  // of several of a technique, first in the path: "three_kernels", "serial"
    // That of its steps: the first one's, or the lead's, with the widest halo, the largest
    // alignment and the most shared memory of all. Without a path where no blocks of threads
    // compute it.
    Shape shape{.path = ""};
    std::vector<Parameter> parameters;
    Arithmetic arithmetic = Arithmetic::canonical;
    double bytes_per_cell = 0;  // that its steps must move in a generation, each for itself
    int threads_per_block = 0;  // the most, of every kernel
    // Cells that a block computes, of every kernel; their least common multiple tiles the board for
    // all of them. Empty where blocks do not tile the board.
    std::vector<Region> regions;
    int smallest_element = 0;          // bytes, of all fields
    std::optional<GroupChoice> group;  // of places that compute it together

    std::string path() const;  // "three_kernels/16x16/align128"
    std::string name() const;  // "water_flow/halo/three_kernels/16x16/align128"
};

// Makes the variant ready to run on a queue of its backend.
using ExecutionFactory = std::function<std::unique_ptr<Execution>(Queue&, const Problem&)>;

// Makes the variant ready to run on the places of a group, the first of which has this queue.
using GroupFactory =
    std::function<std::unique_ptr<Execution>(Queue&, const Problem&, const GroupChoice&)>;

struct Variant {
    VariantInfo info;
    std::map<Backend, ExecutionFactory> factories;
    std::map<Backend, GroupFactory> group_factories;  // empty where it cannot be divided
    std::string undivided = "needs the whole board in one place";  // why not
    std::map<Backend, ExecutionFactory> whole;  // of one that is divided: itself in one place
    // The technique's own reason for not running a problem, where it has one.
    std::function<std::optional<std::string>(const Problem&)> unsupported;
    std::string file = "";  // of the user's own that it was made from; "": it is one of camber's
    Rules rules = Rules::any;
    bool divides_box = false;  // its places have the rows of a box of cells at work
};

// Makes variants of a workload of several steps in which each step has a technique of its own.
struct Composer {
    struct Step {
        std::string name;
        std::vector<std::string> choices;          // "halo/64x4/align128"
        std::vector<std::string_view> techniques;  // of each of them
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
    // Adds a variant, or, to one of the same name and cell type, its backends. One for its
    // workload's other rules and the one of the same name for the usual rule become one variant,
    // which chooses by the problem.
    void add(Variant variant);

    // In order of registration.
    const std::vector<Variant>& variants() const { return variants_; }

    // Says that a technique makes no sense for a workload, and why.
    void leave_out(std::string workload, std::string_view technique, std::string reason);
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
    std::vector<Variant> other_rules_;
    std::vector<LeftOut> left_out_;
    std::vector<Composer> composers_;
};

Registry& registry();

// What charts make of a technique by its name; `other` for one that the registry does not have.
Family family_of(const Registry& registry, std::string_view technique);

// The variant that speedups refer to, the plainest one that was published: global memory in blocks
// of 16x16, of the fewest kernels above one where a generation takes several. nullptr: there is
// none.
const Variant* baseline_of(const Registry& registry, std::string_view workload);

// Why `variant` cannot run `problem` for `generations` on a device with `limits`; nothing if it
// can.
std::optional<std::string> reason_to_skip(const Variant& variant, const Problem& problem,
                                          int generations, const DeviceLimits& limits,
                                          Backend backend);

// `variant` on a group of places: the same variant by name, with the same steps. Its generations
// per launch are those from exchange to exchange. One that cannot be divided is skipped, and says
// why.
Variant on_group(const Variant& variant, const GroupChoice& choice);

// Calls `add` with the registry, now or, while a LibraryRegistrations lives, when that is asked.
void register_variants(std::function<void(Registry&)> add);

// Runs `add` before main(): `static const Registration life([](Registry& registry) { ... });`
struct Registration {
    template <class Add>
    explicit Registration(Add&& add) {
        register_variants(std::forward<Add>(add));
    }
};

// What a library would register that is loaded while this lives: nothing can be caught that its
// loading throws.
class LibraryRegistrations {
  public:
    LibraryRegistrations();
    ~LibraryRegistrations();
    LibraryRegistrations(const LibraryRegistrations&) = delete;
    LibraryRegistrations& operator=(const LibraryRegistrations&) = delete;

    // Throws std::logic_error where it registers a variant twice.
    void add_to(Registry& registry) const;

  private:
    friend void register_variants(std::function<void(Registry&)> add);
    std::vector<std::function<void(Registry&)>> waiting_;
};

}  // namespace camber
