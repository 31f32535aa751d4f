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
    // Distinguishes forms of a technique, first in the path: "three_kernels", "serial"
    std::string form;
    // Shape of the first or the lead step, with the widest halo, the largest alignment and the
    // largest shared memory of all steps. Has no path if the variant is not computed by thread
    // blocks.
    Shape shape{.path = ""};
    std::vector<Parameter> parameters;
    Arithmetic arithmetic = Arithmetic::canonical;
    double bytes_per_cell = 0;  // that its steps must move in a generation, summed over the steps
    int threads_per_block = 0;  // maximum over all kernels
    // Cells computed by a block, for every kernel; their least common multiple tiles the board for
    // all of them. Empty if blocks do not tile the board.
    std::vector<Region> regions;
    int smallest_element = 0;          // bytes, over all fields
    std::optional<GroupChoice> group;  // devices that compute it together

    std::string path() const;  // "three_kernels/16x16/align128"
    std::string name() const;  // "water_flow/halo/three_kernels/16x16/align128"
};

// Prepares the variant to run on a queue of its backend.
using ExecutionFactory = std::function<std::unique_ptr<Execution>(Queue&, const Problem&)>;

// Prepares the variant to run on the devices of a group; the first device has this queue.
using GroupFactory =
    std::function<std::unique_ptr<Execution>(Queue&, const Problem&, const GroupChoice&)>;

struct Variant {
    VariantInfo info;
    std::map<Backend, ExecutionFactory> factories;
    std::map<Backend, GroupFactory> group_factories;               // empty if it cannot be divided
    std::string undivided = "needs the whole board in one place";  // reason why it is not divided
    std::map<Backend, ExecutionFactory> whole;  // for a divided variant: itself on one device
    // Technique-specific reason for not running a problem, if there is one.
    std::function<std::optional<std::string>(const Problem&)> unsupported;
    // User's source file that the variant was made from; "" for camber's own variants
    std::string file = "";
    Rules rules = Rules::any;
    bool divides_box = false;  // its devices divide the rows of the box of active cells
};

// Builds variants of a workload of several steps in which each step has a technique of its own.
struct Composer {
    struct Step {
        std::string name;
        std::vector<std::string> choices;          // "halo/64x4/align128"
        std::vector<std::string_view> techniques;  // of each choice
    };
    std::string workload;
    ElementType cell = ElementType::uint32;
    Backend backend = Backend::simt;
    std::vector<Step> steps;
    // `choices`: one choice per step. Throws Error(usage) if they cannot be combined.
    std::function<Variant(const std::vector<std::string>& choices)> compose;
};

class Registry {
  public:
    // Adds a variant, or adds its backends to the variant with the same name and cell type. A
    // variant for the usual rule and one of the same name for the workload's other rules become one
    // variant, which chooses by the problem.
    void add(Variant variant);

    // In order of registration.
    const std::vector<Variant>& variants() const { return variants_; }

    // Records that a technique makes no sense for a workload, and why.
    void leave_out(std::string workload, std::string_view technique, std::string reason);
    struct LeftOut {
        std::string workload;
        std::string technique;
        std::string reason;
    };
    const std::vector<LeftOut>& left_out() const { return left_out_; }

    // Adds a composer for one backend of a workload.
    void add(Composer composer);
    const std::vector<Composer>& composers() const { return composers_; }

  private:
    std::vector<Variant> variants_;
    std::vector<Variant> other_rules_;
    std::vector<LeftOut> left_out_;
    std::vector<Composer> composers_;
};

Registry& registry();

// Family of a technique in charts; `other` if the registry does not have the technique.
Family family_of(const Registry& registry, std::string_view technique);

// Baseline of speedups, the plainest published variant: global memory in blocks of 16x16. If a
// generation takes several kernels, it is the form with the fewest kernels above one. nullptr if
// there is none.
const Variant* baseline_of(const Registry& registry, std::string_view workload);

// Reason why `variant` cannot run `problem` for `generations` on a device with `limits`; nullopt if
// it can.
std::optional<std::string> reason_to_skip(const Variant& variant, const Problem& problem,
                                          int generations, const DeviceLimits& limits,
                                          Backend backend);

// Returns the variant with the same name and steps, run on a group of devices. Its generations per
// launch are those between two exchanges. A variant that cannot be divided is skipped with a
// reason.
Variant on_group(const Variant& variant, const GroupChoice& choice);

// Calls `add` with the registry: when registry() is first used, afterwards immediately or, while a
// LibraryRegistrations exists, when LibraryRegistrations::add_to() is called.
void register_variants(std::function<void(Registry&)> add);

// Runs register_variants(add) before main():
// `static const Registration life([](Registry& registry) { ... });`
struct Registration {
    template <class Add>
    explicit Registration(Add&& add) {
        register_variants(std::forward<Add>(add));
    }
};

// Defers the registrations of a library that is loaded during this object's lifetime, because
// exceptions that the loading of a library throws cannot be caught.
class LibraryRegistrations {
  public:
    LibraryRegistrations();
    ~LibraryRegistrations();
    LibraryRegistrations(const LibraryRegistrations&) = delete;
    LibraryRegistrations& operator=(const LibraryRegistrations&) = delete;

    // Throws std::logic_error if the library registers a variant twice.
    void add_to(Registry& registry) const;

  private:
    friend void register_variants(std::function<void(Registry&)> add);
    std::vector<std::function<void(Registry&)>> waiting_;
};

}  // namespace camber
