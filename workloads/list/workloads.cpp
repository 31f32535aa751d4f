#include "workloads/list/workloads.hpp"

#include <utility>

#include "workloads/core/factories.hpp"

namespace camber {

namespace {

std::vector<std::unique_ptr<Workload>>& listed() {
    static auto list = [] {
        std::vector<std::unique_ptr<Workload>> first;
        first.push_back(make_life());
        return first;
    }();
    return list;
}

std::vector<std::unique_ptr<Workload>>& added_workloads() {
    static std::vector<std::unique_ptr<Workload>> added;
    return added;
}

const Workload* find_in(const std::vector<std::unique_ptr<Workload>>& list, std::string_view name) {
    for (const auto& workload : list)
        if (workload->name() == name) return workload.get();
    return nullptr;
}

}  // namespace

const std::vector<std::unique_ptr<Workload>>& workloads() {
    if (listed().size() == 1) append_further_workloads(listed());
    return listed();
}

const Workload& add_workload(std::unique_ptr<Workload> workload) {
    auto& added = added_workloads();
    std::erase_if(added, [&](const auto& other) { return other->name() == workload->name(); });
    return *added.emplace_back(std::move(workload));
}

const Workload* find_workload(std::string_view name) {
    if (const Workload* const added = find_in(added_workloads(), name)) return added;
    if (const Workload* const known = find_in(listed(), name)) return known;
    return find_in(workloads(), name);
}

}  // namespace camber
