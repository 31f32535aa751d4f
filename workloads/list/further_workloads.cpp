#include "workloads/blur/blur.hpp"
#include "workloads/dog/dog.hpp"
#include "workloads/extrema/extrema.hpp"
#include "workloads/gaussian/gaussian.hpp"
#include "workloads/larger_than_life/larger_than_life.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/magflow/magflow.hpp"
#include "workloads/sciara_fv2/sciara_fv2.hpp"
#include "workloads/sciara_fv3/sciara_fv3.hpp"
#include "workloads/sph/sph.hpp"
#include "workloads/surface_water/surface_water.hpp"
#include "workloads/transfer_overlap/transfer_overlap.hpp"
#include "workloads/water_flow/water_flow.hpp"

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
    list.push_back(make_water_flow());
    list.push_back(make_sciara_fv2());
    list.push_back(make_sciara_fv3());
    list.push_back(make_magflow());
    list.push_back(make_transfer_overlap());
    list.push_back(make_sph());
}
