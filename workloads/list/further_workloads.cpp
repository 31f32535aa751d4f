// The workloads that the library of a build tree contains: all except the first.
#include "workloads/core/factories.hpp"
#include "workloads/image/extrema/extrema.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/water/surface_water/reference.hpp"

void camber_append_further_workloads(std::vector<std::unique_ptr<camber::Workload>>& list) {
    using namespace camber;
    list.push_back(make_larger_than_life());
    list.push_back(make_blur());
    list.push_back(make_gaussian());
    list.push_back(make_dog());
    list.push_back(make_dog_image());
    list.push_back(make_extrema());
    list.push_back(make_extrema_stack());
    list.push_back(make_surface_water());
    list.push_back(make_surface_water_clock());
    list.push_back(make_water_flow());
    list.push_back(make_sciara_fv2());
    list.push_back(make_sciara_fv3());
    list.push_back(make_magflow());
    list.push_back(make_transfer_overlap());
    list.push_back(make_sph());
}
