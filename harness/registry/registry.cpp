#include "harness/registry/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "harness/registry/execution.hpp"

namespace camber {

std::string VariantInfo::path() const {
    const std::string shape_name = shape.name();
    return form + (form.empty() || shape_name.empty() ? "" : "/") + shape_name;
}

std::string VariantInfo::name() const {
    const std::string parts = path();
    return fmt::format("{}/{}{}{}", workload, technique.name, parts.empty() ? "" : "/", parts);
}

Family family_of(const Registry& registry, std::string_view technique) {
    const auto found =
        std::ranges::find(registry.variants(), technique,
                          [](const Variant& variant) { return variant.info.technique.name; });
    return found == registry.variants().end() ? Family::other : found->info.technique.family;
}

const Variant* baseline_of(const Registry& registry, std::string_view workload) {
    constexpr Region block{16, 16};
    // A variant with a single kernel comes after every number of kernels.
    const auto kernels = [](const Variant& variant) {
        const std::size_t count = variant.info.regions.size();
        return count > 1 ? count : std::numeric_limits<std::size_t>::max();
    };
    const Variant* baseline = nullptr;
    for (const Variant& variant : registry.variants())
        if (variant.info.workload == workload && variant.info.technique.name == "global" &&
            variant.info.shape.block == block &&
            (!baseline || kernels(variant) < kernels(*baseline)))
            baseline = &variant;
    return baseline;
}

namespace {

LibraryRegistrations* waiting = nullptr;  // the current one
bool registry_is_used = false;

// Registrations before registry() is first called, most of them before main(): whatever needs no
// variant starts without the 30 ms that they take.
std::vector<std::function<void(Registry&)>>& early_registrations() {
    static std::vector<std::function<void(Registry&)>> registrations;
    return registrations;
}

}  // namespace

Registry& registry() {
    static Registry instance;
    static std::recursive_mutex mutex;
    const std::lock_guard lock(mutex);
    registry_is_used = true;
    for (const auto& add : std::exchange(early_registrations(), {})) add(instance);
    return instance;
}

void register_variants(std::function<void(Registry&)> add) {
    if (waiting)
        waiting->waiting_.push_back(std::move(add));
    else if (registry_is_used)
        add(registry());
    else
        early_registrations().push_back(std::move(add));
}

LibraryRegistrations::LibraryRegistrations() {
    waiting = this;
}

LibraryRegistrations::~LibraryRegistrations() {
    waiting = nullptr;
}

void LibraryRegistrations::add_to(Registry& registry) const {
    for (const auto& add : waiting_) add(registry);
}

namespace {

bool same_variant(const VariantInfo& one, const VariantInfo& other) {
    return one.cell == other.cell && one.workload == other.workload &&
           one.technique.name == other.technique.name && one.path() == other.path();
}

// Chooses the factory by the problem's rule.
template <class Made, class... Arguments>
void join_factories(
    std::map<Backend, std::function<Made(Queue&, const Problem&, Arguments...)>>& own,
    const std::map<Backend, std::function<Made(Queue&, const Problem&, Arguments...)>>& others,
    const auto& these) {
    for (const auto& [backend, unused] : these) {
        const auto usual = own.find(backend);
        const auto other = others.find(backend);
        if (usual == own.end() || other == others.end()) continue;
        usual->second = [usual = usual->second, other = other->second](
                            Queue& queue, const Problem& problem, Arguments... arguments) {
            return (problem.parameters.rule().empty() ? usual : other)(queue, problem,
                                                                       arguments...);
        };
    }
}

}  // namespace

void Registry::add(Variant variant) {
    const auto same = [&](const Variant& other) { return same_variant(other.info, variant.info); };
    // `with`: the added variant, one of the two; only its backends are joined.
    const auto join = [](Variant& usual, const Variant& others, const Variant& with) {
        join_factories(usual.factories, others.factories, with.factories);
        join_factories(usual.group_factories, others.group_factories, with.group_factories);
        usual.rules = Rules::any;
    };
    auto found = std::ranges::find_if(variants_, same);
    if (variant.rules == Rules::others) {
        if (found != variants_.end()) join(*found, variant, variant);
        other_rules_.push_back(std::move(variant));
        return;
    }
    const Variant added = variant;
    if (found == variants_.end()) {
        variants_.push_back(std::move(variant));
        found = variants_.end() - 1;
    } else {
        found->factories.merge(variant.factories);
        found->group_factories.merge(variant.group_factories);
        found->divides_box = found->divides_box || variant.divides_box;
        if (!variant.factories.empty())  // merge() leaves merged variants without factories
            throw std::logic_error("variant " + added.info.name() + " is registered twice");
    }
    for (const Variant& others : other_rules_)
        if (same_variant(others.info, added.info)) join(*found, others, added);
}

namespace {

// Returns the same choice for one device with the whole board, with a minimum that lags as the
// group's does.
GroupChoice alone(const GroupChoice& choice) {
    GroupChoice one;
    one.devices = {choice.devices.front()};
    one.division.weights = {1};
    one.exchange = {ExchangePath::copies, false};
    one.exchange.minimum = choice.exchange.minimum;
    return one;
}

}  // namespace

Variant on_group(const Variant& variant, const GroupChoice& choice) {
    Variant divided{variant.info,      {}, {},           variant.undivided,
                    variant.factories, {}, variant.file, variant.rules};
    divided.info.group = choice;
    divided.divides_box = variant.divides_box;
    divided.unsupported = variant.unsupported;
    divided.info.shape.generations *= choice.division.halo_depth;
    if (choice.division.start.progressive && !variant.divides_box) {
        if (!variant.group_factories.empty())
            divided.undivided =
                "divides the whole board, and no box of cells at work that grows: places have "
                "something to do from the start";
        return divided;
    }
    const auto on = [](const GroupFactory& factory, const GroupChoice& places) {
        return [factory, places](Queue& lead, const Problem& problem) {
            return factory(lead, problem, places);
        };
    };
    for (const auto& [backend, factory] : variant.group_factories) {
        divided.factories[backend] = on(factory, choice);
        if (choice.exchange.minimum == Minimum::lagged)
            divided.whole[backend] = on(factory, alone(choice));
    }
    return divided;
}

void Registry::leave_out(std::string workload, std::string_view technique, std::string reason) {
    // Both compilations of a workload's variants report the same omission.
    const auto same = [&](const LeftOut& other) {
        return other.workload == workload && other.technique == technique;
    };
    if (std::ranges::none_of(left_out_, same))
        left_out_.push_back({std::move(workload), std::string(technique), std::move(reason)});
}

void Registry::add(Composer composer) {
    composers_.push_back(std::move(composer));
}

std::optional<std::string> reason_to_skip(const Variant& variant, const Problem& problem,
                                          int generations, const DeviceLimits& limits,
                                          Backend backend) {
    const VariantInfo& info = variant.info;
    if (!variant.factories.contains(backend))
        return info.group ? variant.undivided
                          : fmt::format("has no {} form in this build", name(backend));
    if (const int step = info.shape.generations; generations % step != 0)
        return fmt::format("computes {} generations per launch, and {} is no multiple", step,
                           generations);
    if (backend != Backend::cpu && info.threads_per_block > limits.threads_per_block)
        return fmt::format("needs {} threads per block, the device allows {}",
                           info.threads_per_block, limits.threads_per_block);
    if (backend != Backend::cpu && info.shape.shared_bytes > limits.shared_bytes_per_block)
        return fmt::format("needs {} bytes of shared memory per block, the device has {}",
                           info.shape.shared_bytes, limits.shared_bytes_per_block);
    if (variant.rules == Rules::usual && !problem.parameters.rule().empty())
        return fmt::format("has no kernel for rule {}", problem.parameters.rule());
    if (variant.unsupported) return variant.unsupported(problem);
    return std::nullopt;
}

std::string Shape::name() const {
    if (path.empty()) return "";
    if (alignment != unaligned) return path + "/align" + std::to_string(alignment);
    return halo > 0 ? path + "/unaligned" : path;
}

}  // namespace camber
