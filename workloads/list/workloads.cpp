#include "workloads/list/workloads.hpp"

#include <utility>

#include "workloads/blur/blur.hpp"
#include "workloads/dog/dog.hpp"
#include "workloads/extrema/extrema.hpp"
#include "workloads/larger_than_life/larger_than_life.hpp"
#include "workloads/life/life.hpp"
#include "workloads/magflow/magflow.hpp"
#include "workloads/sciara_fv2/sciara_fv2.hpp"
#include "workloads/sciara_fv3/sciara_fv3.hpp"
#include "workloads/sph/sph.hpp"
#include "workloads/surface_water/surface_water.hpp"
#include "workloads/transfer_overlap/transfer_overlap.hpp"
#include "workloads/water_flow/water_flow.hpp"

namespace camber {

const std::vector<std::unique_ptr<Workload>>& workloads() {
    static const auto all = [] {
        std::vector<std::unique_ptr<Workload>> list;
        list.push_back(make_life());
        list.push_back(make_larger_than_life());
        list.push_back(make_blur());
        list.push_back(make_dog());
        list.push_back(make_dog_image());
        list.push_back(make_extrema());
        list.push_back(make_extrema_stack());
        list.push_back(make_surface_water());
        list.push_back(make_water_flow());
        list.push_back(make_sciara_fv2());
        list.push_back(make_sciara_fv3());
        list.push_back(make_magflow());
        list.push_back(make_transfer_overlap());
        list.push_back(make_sph());
        return list;
    }();
    return all;
}

namespace {

std::vector<std::unique_ptr<Workload>>& added_workloads() {
    static std::vector<std::unique_ptr<Workload>> added;
    return added;
}

}  // namespace

const Workload& add_workload(std::unique_ptr<Workload> workload) {
    auto& added = added_workloads();
    std::erase_if(added, [&](const auto& other) { return other->name() == workload->name(); });
    return *added.emplace_back(std::move(workload));
}

const Workload* find_workload(std::string_view name) {
    for (const auto& workload : added_workloads())
        if (workload->name() == name) return workload.get();
    for (const auto& workload : workloads())
        if (workload->name() == name) return workload.get();
    return nullptr;
}

}  // namespace camber
