#include "harness/registry/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace camber {

std::string_view name(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::canonical:
            return "canonical";
        case Arithmetic::reordered:
            return "reordered";
        case Arithmetic::unordered:
            return "unordered";
    }
    return "";
}

Registry& registry() {
    static Registry instance;
    return instance;
}

void Registry::add(VariantInfo info, Backend backend, ExecutionFactory factory,
                   std::function<std::optional<std::string>(const Problem&)> unsupported) {
    const auto found = std::find_if(variants_.begin(), variants_.end(), [&](const Variant& other) {
        return other.info.cell == info.cell && other.info.name() == info.name();
    });
    if (found == variants_.end()) {
        variants_.push_back(
            {std::move(info), {{backend, std::move(factory)}}, std::move(unsupported)});
        return;
    }
    if (!found->factories.emplace(backend, std::move(factory)).second)
        throw std::logic_error("variant " + info.name() + " is registered twice");
}

void Registry::leave_out(std::string workload, std::string technique, std::string reason) {
    // Both compilations of a workload's variants say the same.
    const auto same = [&](const LeftOut& other) {
        return other.workload == workload && other.technique == technique;
    };
    if (std::ranges::none_of(left_out_, same))
        left_out_.push_back({std::move(workload), std::move(technique), std::move(reason)});
}

void Registry::add(Composer composer) {
    composers_.push_back(std::move(composer));
}

std::optional<std::string> reason_to_skip(const Variant& variant, const Problem& problem,
                                          int generations, const DeviceLimits& limits,
                                          Backend backend) {
    const VariantInfo& info = variant.info;
    if (!variant.factories.contains(backend))
        return fmt::format("has no {} form in this build", name(backend));
    if (generations % info.generations_per_launch != 0)
        return fmt::format("computes {} generations per launch, of which {} is not a multiple",
                           info.generations_per_launch, generations);
    if (backend == Backend::cuda && limits.compute_capability < info.minimum_compute_capability)
        return fmt::format("needs compute capability {}.{}, the device has {}.{}",
                           info.minimum_compute_capability / 10,
                           info.minimum_compute_capability % 10, limits.compute_capability / 10,
                           limits.compute_capability % 10);
    if (backend != Backend::cpu && info.threads_per_block > limits.threads_per_block)
        return fmt::format("needs {} threads per block, the device allows {}",
                           info.threads_per_block, limits.threads_per_block);
    if (backend != Backend::cpu && info.shared_bytes > limits.shared_bytes_per_block)
        return fmt::format("needs {} bytes of shared memory per block, the device has {}",
                           info.shared_bytes, limits.shared_bytes_per_block);
    if (variant.unsupported) return variant.unsupported(problem);
    return std::nullopt;
}

}  // namespace camber
