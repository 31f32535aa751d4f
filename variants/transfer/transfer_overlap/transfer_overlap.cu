// Passes over an array in parts, for every issue order, kind of host memory, number of streams and
// direction; and each single operation alone, for comparison.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "variants/stencil/catalogue.hpp"
#include "variants/transfer/transfer_overlap/execution.hpp"

namespace camber::transfer_overlap {
namespace {

constexpr const char* source = "Rustico 2012, section 3.8, Listings 3.1 and 3.2";
constexpr TechniqueInfo breadth_first{"breadth_first",
                                      "all uploads, then all kernels, then all downloads, a part "
                                      "of the array on each stream",
                                      source, Family::global_memory};
constexpr TechniqueInfo depth_first{"depth_first",
                                    "upload, kernel and download of one part of the array, then of "
                                    "the next, each on its stream",
                                    source, Family::global_memory};
constexpr TechniqueInfo alone{"alone", "one of upload, kernel and download, of the whole array",
                              "for comparison", Family::global_memory};

std::string_view name(HostMemory memory) {
    return memory == HostMemory::pinned ? "pinned" : "pageable";
}

void add(Registry& registry, const TechniqueInfo& technique, std::string path,
         std::vector<Parameter> parameters, const Pass& pass) {
    Variant variant;
    VariantInfo& info = variant.info;
    info.workload = "transfer_overlap";
    info.cell = ElementType::float32;
    info.technique = technique;
    info.shape = {.block = {block_threads, 1}, .path = std::move(path)};
    info.parameters = std::move(parameters);
    info.threads_per_block = block_threads;
    info.regions = {{block_threads, 1}};
    info.smallest_element = sizeof(float);
    variant.factories[target_backend] = [pass](Queue& queue, const Problem& problem) {
        return std::make_unique<PassExecution>(queue, problem, pass);
    };
    variant.unsupported = [](const Problem& problem) -> std::optional<std::string> {
        // cudaMemcpy2D limits the row width.
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        const std::int64_t bytes = problem.size.cells() * static_cast<std::int64_t>(sizeof(float));
        if (bytes <= most) return std::nullopt;
        return "moves arrays of at most " + std::to_string(most) + " bytes, and this one has " +
               std::to_string(bytes);
    };
    registry.add(std::move(variant));
}

void add_pieces(Registry& registry) {
    add(registry, alone, "kernel", {{"piece", "kernel"}}, {.computes = true});
    for (const HostMemory memory : {HostMemory::pinned, HostMemory::pageable})
        for (const bool uploads : {true, false}) {
            const std::string piece = uploads ? "upload" : "download";
            const std::string host(name(memory));
            add(registry, alone, piece + "/" + host, {{"piece", piece}, {"host_memory", host}},
                {.memory = memory, .uploads = uploads, .downloads = !uploads});
        }
}

const Registration transfer_overlap_variants([](Registry& registry) {
    for (const bool breadth : {true, false})
        for (const HostMemory memory : {HostMemory::pinned, HostMemory::pageable})
            for (const int streams : {1, 2, 4, 8})
                for (const auto& [direction, uploads, downloads] :
                     {std::tuple("all", true, true),
                      {"upload_kernel", true, false},
                      {"kernel_download", false, true}}) {
                    const std::string host(name(memory));
                    add(registry, breadth ? breadth_first : depth_first,
                        host + "/s" + std::to_string(streams) + "/" + direction,
                        {{"host_memory", host}, {"streams", streams}, {"direction", direction}},
                        {.issue = breadth ? Issue::breadth_first : Issue::depth_first,
                         .memory = memory,
                         .streams = streams,
                         .uploads = uploads,
                         .computes = true,
                         .downloads = downloads});
                }
    add_pieces(registry);
});

}  // namespace
}  // namespace camber::transfer_overlap
