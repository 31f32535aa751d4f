#include "analysis/published/radius.hpp"

#include <string_view>

#include "harness/base/error.hpp"
#include "workloads/image/gaussian/rule.hpp"
#include "workloads/life/larger_than_life/rule.hpp"

namespace camber {

int radius_of(const results::Identity& of) {
    const auto parameter = [&](const char* name) {
        const auto found = of.workload_parameters.find(name);
        return found == of.workload_parameters.end() || found->second.empty()
                   ? 0.0
                   : found->second.front();
    };
    const std::string_view rule = of.rule.empty() ? bosco_rule : std::string_view(of.rule);
    try {
        if (of.workload == "larger_than_life") return larger_than_life_rule(rule, rule).radius;
        if (of.workload == "gaussian")
            return GaussianWeights::of(parameter("sigma"), parameter("radius")).radius;
    } catch (const Error&) {
    }
    return 0;
}

}  // namespace camber
