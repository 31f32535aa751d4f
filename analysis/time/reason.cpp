#include "analysis/time/reason.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace camber {
namespace {

constexpr double worth_telling = 0.1;  // of the difference
constexpr double alike = 0.02;         // of the time

double seconds_of(const NamedTime& variant, TimeResource resource) {
    const auto& parts = variant.time.parts;
    const auto found = std::ranges::find(parts, resource, &TimePart::resource);
    return found == parts.end() ? 0 : found->seconds / variant.generations;
}

std::string us(double seconds) {
    const double value = seconds * 1e6;
    return fmt::format("{:.{}f} us", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// "latency", "DRAM time": what is more or less.
std::string cost_of(TimeResource resource) {
    const bool latency = resource == TimeResource::latency || resource == TimeResource::busy;
    return std::string(label(resource)) + (latency ? "" : " time");
}

std::string doubts(const NamedTime& fast, const NamedTime& slow) {
    std::string text;
    if (fast.time.high / fast.generations > slow.time.low / slow.generations)
        text += " The predicted intervals overlap, so the ranking is uncertain.";
    for (const NamedTime* variant : {&fast, &slow})
        if (variant->time.uncertain())
            text += fmt::format(" The predicted time of {} is uncertain: {}.", variant->name,
                                fmt::join(variant->time.doubts, "; "));
    return text;
}

std::string because(const NamedTime& fast, const NamedTime& slow) {
    const double difference = slow.seconds() - fast.seconds();
    std::vector<std::pair<TimeResource, double>> told = contributions(fast, slow);
    std::erase_if(
        told, [&](const auto& part) { return std::abs(part.second) < worth_telling * difference; });
    std::ranges::stable_sort(told, std::greater<>(),
                             [](const auto& part) { return std::abs(part.second); });
    std::vector<std::string> costs;
    std::vector<std::string> savings;
    for (const auto& [resource, seconds] : told) {
        if (seconds > 0)
            costs.push_back(fmt::format("{} more {}", us(seconds), cost_of(resource)));
        else
            savings.push_back(fmt::format("{} less {}", us(-seconds), cost_of(resource)));
    }
    if (costs.empty()) return "";
    return fmt::format(" {} has {}{}.", slow.name, fmt::join(costs, ", "),
                       savings.empty() ? "" : fmt::format(", but {}", fmt::join(savings, ", ")));
}

}  // namespace

std::vector<std::pair<TimeResource, double>> contributions(const NamedTime& fast,
                                                           const NamedTime& slow) {
    constexpr TimeResource all[] = {
        TimeResource::dram,  TimeResource::l2,    TimeResource::l1,     TimeResource::texture,
        TimeResource::issue, TimeResource::pipes, TimeResource::starts, TimeResource::latency,
        TimeResource::busy,  TimeResource::launch};
    // If two resources are views of the same work, only the larger one counts in the sum.
    const auto counts = [](TimeResource resource, const NamedTime& variant) {
        const double own = seconds_of(variant, resource);
        const auto other = [&](TimeResource view) { return seconds_of(variant, view); };
        const bool smaller =
            (resource == TimeResource::dram && other(TimeResource::l2) > own) ||
            (resource == TimeResource::l2 && other(TimeResource::dram) >= own) ||
            (resource == TimeResource::issue && other(TimeResource::pipes) > own) ||
            (resource == TimeResource::pipes && other(TimeResource::issue) >= own) ||
            (resource == TimeResource::starts && other(TimeResource::latency) > own) ||
            (resource == TimeResource::latency && other(TimeResource::starts) >= own);
        return smaller ? 0.0 : own;
    };
    std::vector<std::pair<TimeResource, double>> parts;
    double weights = 0;
    double weighted = 0;
    for (const TimeResource resource : all) {
        const double a = counts(resource, fast);
        const double b = counts(resource, slow);
        const double whole = (fast.seconds() + slow.seconds()) / 2;
        const double growth =
            resource == TimeResource::launch ? 1 : std::pow((a + b) / 2 / whole, 2);
        parts.emplace_back(resource, (b - a) * growth);
        weights += std::abs((b - a) * growth);
        weighted += (b - a) * growth;
    }
    // The shares add up to the difference, which is not linear in them.
    const double missing = slow.seconds() - fast.seconds() - weighted;
    if (weights > 0)
        for (auto& [resource, seconds] : parts) seconds += missing * std::abs(seconds) / weights;
    return parts;
}

std::string reason(const NamedTime& a, const NamedTime& b) {
    const NamedTime& fast = a.seconds() <= b.seconds() ? a : b;
    const NamedTime& slow = &fast == &a ? b : a;
    const double difference = slow.seconds() - fast.seconds();
    if (difference <= alike * slow.seconds())
        return fmt::format("{} and {} take the same time, {} per generation, within {:.0f} %.{}",
                           fast.name, slow.name, us(fast.seconds()), alike * 100,
                           doubts(fast, slow));
    return fmt::format("{} is {:.2f} times as fast as {}: {} against {} per generation.{}{}",
                       fast.name, slow.seconds() / fast.seconds(), slow.name, us(fast.seconds()),
                       us(slow.seconds()), because(fast, slow), doubts(fast, slow));
}

}  // namespace camber
