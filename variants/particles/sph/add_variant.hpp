// Registration of `sph` variants, and the techniques that several number types share.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/registry/registry.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/slice_partition.hpp"
#include "variants/stencil/catalogue.hpp"

// Techniques with variants for several number types.
CAMBER_WORKLOAD_BEGIN(sph)

inline constexpr TechniqueInfo list_technique{
    "neighbour_list", "each particle's neighbours from a list, the k-th of all side by side",
    "Rustico 2012, section 7.3", Family::global_memory};
inline constexpr TechniqueInfo particle_list_technique{
    "neighbour_list_rows", "each particle's neighbours from a list, its own side by side",
    "for comparison with the interleaved list", Family::global_memory};

CAMBER_TARGET_END

// Registers a variant of `sph`.
CAMBER_WORKLOAD_BEGIN(sph)

inline std::optional<std::string> more_particles_than(std::int64_t most, const Problem& problem) {
    const std::int64_t count = particle_count(settings_of(problem.parameters));
    if (count <= most) return std::nullopt;
    return "takes at most " + std::to_string(most) + " particles, and this problem has " +
           std::to_string(count);
}
inline std::optional<std::string> too_many_particles(const Problem& problem) {
    // cudaMemcpy2D limits the row width.
    return more_particles_than(std::numeric_limits<int>::max() / 16, problem);
}

inline const char* name_of(Read read) {
    switch (read) {
        case Read::plain:
            return "plain";
        case Read::read_only:
            return "read_only";
        case Read::texture:
            break;
    }
    return "texture";
}

template <class Form>
Variant variant_of(const TechniqueInfo& technique, int block) {
    const char* fields = Form::Fields::name;
    const char* loads = name_of(Form::read);
    Variant variant;
    VariantInfo& info = variant.info;
    info.workload = "sph";
    info.cell = element_of<typename Form::Fields::Real>();
    info.technique = technique;
    info.shape = {.block = {block, 1},
                  .path = std::string(fields) + "/" + loads + "/b" + std::to_string(block)};
    info.parameters = {{"fields", fields}, {"loads", loads}, {"block", block}};
    info.threads_per_block = block;
    info.smallest_element = sizeof(typename Form::Fields::Real);
    variant.factories[target_backend] = [block](Queue& queue, const Problem& problem) {
        return std::make_unique<ParticleExecution<Form>>(queue, problem, block);
    };
    if constexpr (is_divisible<Form>)
        variant.group_factories[target_backend] = [block](Queue& lead, const Problem& problem,
                                                          const GroupChoice& choice) {
            return divide<SlicePartition<Form>>(lead, choice, problem, block);
        };
    else
        variant.undivided =
            "has its particles in no slices that places could share: neighbour_list has";
    variant.unsupported = too_many_particles;
    return variant;
}

CAMBER_TARGET_END
