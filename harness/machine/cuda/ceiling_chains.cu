// Measures latencies by chains of dependent loads, and rates of warp launches and cluster barriers.
#include <stdexcept>

#include "harness/machine/cuda/ceiling_kernels.cuh"

namespace camber::cuda {

using namespace ceiling;

namespace {

// One link per L1 line, so that no two links share a sector.
constexpr unsigned link_words = 32;
constexpr unsigned shared_words = 4096;
constexpr unsigned blocks_of_cluster = 2;
constexpr unsigned links_per_loop = 16;  // keeps the loop's own instructions out of the chain

// Step from one link to the next of `links`, a power of two: the golden section of `links`, so that
// successive links are far apart, and odd, so that the chain visits all links.
__host__ __device__ unsigned step_of(unsigned links) {
    return static_cast<unsigned>(links * 0.6180339887498949) | 1u;
}

__device__ unsigned next_link(unsigned link, unsigned links) {
    return (link + step_of(links)) & (links - 1);
}

__global__ void chain_kernel(std::uint32_t* words, unsigned links) {
    for (unsigned link = blockIdx.x * blockDim.x + threadIdx.x; link < links;
         link += gridDim.x * blockDim.x)
        words[std::size_t{link} * link_words] = next_link(link, links) * link_words;
}

template <Chain kind>
__device__ std::uint32_t follow(const std::uint32_t* words, std::uint32_t at) {
    if constexpr (kind == Chain::past_l1) return __ldcg(words + at);
    return words[at];
}

// A single thread follows the chain.
template <Chain kind>
__global__ void follow_kernel(const std::uint32_t* words, std::uint32_t at, unsigned loops,
                              std::uint32_t* sink) {
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
#pragma unroll
        for (unsigned i = 0; i < links_per_loop; ++i) at = follow<kind>(words, at);
    }
    *sink = at;
}

// Number of parts of the chain at which lanes begin, not a power of two: no two lanes are a
// constant number of bytes apart.
constexpr unsigned parts_of_chain = 37;
constexpr unsigned chain_lanes = 8;

__global__ void __launch_bounds__(chain_lanes)
    follow_with_lanes_kernel(const std::uint32_t* words, std::uint64_t followed, unsigned links,
                             unsigned loops, std::uint32_t* sink) {
    const std::uint64_t link = followed + std::uint64_t{threadIdx.x} * (links / parts_of_chain);
    auto at = static_cast<std::uint32_t>(link * step_of(links) & (links - 1)) * link_words;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
#pragma unroll
        for (unsigned i = 0; i < links_per_loop; ++i) at = follow<Chain::past_l1>(words, at);
    }
    sink[threadIdx.x] = at;
}

constexpr unsigned row_words = 128;  // loaded by a warp at once

__global__ void rows_kernel(std::uint32_t* words, unsigned links) {
    const std::size_t all = std::size_t{links} * row_words;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < all;
         i += std::size_t{gridDim.x} * blockDim.x)
        words[i] = next_link(static_cast<unsigned>(i / row_words), links) * row_words;
}

__global__ void __launch_bounds__(warp_threads)
    follow_rows_kernel(const std::uint32_t* words, std::uint32_t at, unsigned loops,
                       std::uint32_t* sink) {
    const std::uint32_t* const own = words + 4 * threadIdx.x;
    std::uint32_t others = 0;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
#pragma unroll
        for (unsigned i = 0; i < links_per_loop; ++i) {
            const uint4 row = __ldcg(reinterpret_cast<const uint4*>(own + at));
            at = row.x;
            others ^= row.y ^ row.z ^ row.w;
        }
    }
    sink[threadIdx.x] = at ^ others;
}

__device__ void lay_shared_chain(std::uint32_t* words) {
    constexpr unsigned links = shared_words / link_words;
    for (unsigned link = threadIdx.x; link < links; link += blockDim.x)
        words[link * link_words] = next_link(link, links) * link_words;
}

__device__ std::uint32_t follow_shared(const std::uint32_t* words, unsigned loops) {
    std::uint32_t at = 0;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
#pragma unroll
        for (unsigned i = 0; i < links_per_loop; ++i) at = words[at];
    }
    return at;
}

__global__ void follow_shared_kernel(unsigned loops, std::uint32_t* sink) {
    __shared__ std::uint32_t words[shared_words];
    lay_shared_chain(words);
    __syncthreads();
    if (threadIdx.x == 0) *sink = follow_shared(words, loops);
}

__global__ void dependent_kernel(unsigned loops, std::uint32_t factor, std::uint32_t* sink) {
    std::uint32_t value = factor;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
#pragma unroll
        for (unsigned i = 0; i < links_per_loop; ++i)
            asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(value) : "r"(factor));
    }
    *sink = value;
}

// Same barrier as in kernels (harness/machine/kernel/cluster.hpp).
__device__ void cluster_barrier() {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "barrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned;" ::
            : "memory");
#else
    __trap();  // older devices have no clusters
#endif
}

// Maps `own` to the cluster's other block. PTX ISA 7.8, "mapa".
__device__ const std::uint32_t* words_of_block(const std::uint32_t* own, unsigned rank) {
    const std::uint32_t* other = nullptr;
#if __CUDA_ARCH__ >= 900
    asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(own), "r"(rank));
#endif
    return other;
}

__global__ void __launch_bounds__(block_threads) cluster_barrier_kernel(unsigned loops) {
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
#pragma unroll
        for (unsigned i = 0; i < links_per_loop; ++i) cluster_barrier();
    }
}

// The first block follows a chain in the second one's shared memory.
__global__ void __launch_bounds__(warp_threads)
    follow_distributed_kernel(unsigned loops, std::uint32_t* sink) {
    __shared__ std::uint32_t words[shared_words];
    lay_shared_chain(words);
    cluster_barrier();
    const std::uint32_t* const other = words_of_block(words, 1);
    if (blockIdx.x == 0 && threadIdx.x == 0) *sink = follow_shared(other, loops);
    cluster_barrier();
}

// A block that does almost nothing, so that its start and end dominate.
__global__ void __launch_bounds__(block_threads)
    turnover_kernel(std::uint32_t* words, unsigned mask) {
    words[(blockIdx.x * block_threads + threadIdx.x) & mask] = threadIdx.x;
}

std::size_t link_count(std::size_t bytes) {
    return bytes / (link_words * sizeof(std::uint32_t));
}

double links_followed(unsigned loops) {
    return static_cast<double>(links_per_loop) * loops;
}

template <class... Parameters, class... Arguments>
void launch_single(const CeilingTarget& target, void (*kernel)(Parameters...), unsigned threads,
                   Arguments... arguments) {
    kernel<<<1, threads, 0, stream(target)>>>(arguments...);
    check(cudaGetLastError(), "measuring the device's latencies");
}

}  // namespace

void enqueue_chain(const CeilingTarget& target, void* memory, std::size_t bytes) {
    const std::size_t links = link_count(bytes);
    if (links == 0 || (links & (links - 1)) != 0 || links > std::size_t{1} << 26)
        throw std::logic_error("a chain has 2^n links, and 2^26 at most");
    launch(target, chain_kernel, one_wave(target, chain_kernel),
           static_cast<std::uint32_t*>(memory), static_cast<unsigned>(links));
}

double enqueue_links(const CeilingTarget& target, Chain kind, const void* memory, std::size_t bytes,
                     std::uint64_t followed, unsigned loops) {
    const auto* words = static_cast<const std::uint32_t*>(memory);
    const auto links = static_cast<unsigned>(link_count(bytes));
    const auto first =
        links == 0 ? 0u
                   : static_cast<std::uint32_t>(followed * step_of(links) % links * link_words);
    switch (kind) {
        case Chain::through_l1:
            launch_single(target, follow_kernel<Chain::through_l1>, 1, words, first, loops,
                          sink(target));
            break;
        case Chain::past_l1:
            launch_single(target, follow_kernel<Chain::past_l1>, 1, words, first, loops,
                          sink(target));
            break;
        case Chain::shared:
            launch_single(target, follow_shared_kernel, warp_threads, loops, sink(target));
            break;
        case Chain::arithmetic:
            launch_single(target, dependent_kernel, 1, loops, 3u, sink(target));
            break;
    }
    return links_followed(loops);
}

double enqueue_links_of_lanes(const CeilingTarget& target, const void* memory, std::size_t bytes,
                              std::uint64_t followed, unsigned loops) {
    launch_single(target, follow_with_lanes_kernel, chain_lanes,
                  static_cast<const std::uint32_t*>(memory), followed,
                  static_cast<unsigned>(link_count(bytes)), loops, sink(target));
    return links_followed(loops);
}

void enqueue_chain_of_rows(const CeilingTarget& target, void* memory, std::size_t bytes) {
    const std::size_t links = bytes / (row_words * sizeof(std::uint32_t));
    if (links == 0 || (links & (links - 1)) != 0 || links > std::size_t{1} << 24)
        throw std::logic_error("a chain of rows has 2^n links, and 2^24 at most");
    launch(target, rows_kernel, one_wave(target, rows_kernel), static_cast<std::uint32_t*>(memory),
           static_cast<unsigned>(links));
}

double enqueue_rows(const CeilingTarget& target, const void* memory, std::size_t bytes,
                    std::uint64_t followed, unsigned loops) {
    const auto links = static_cast<unsigned>(bytes / (row_words * sizeof(std::uint32_t)));
    const auto first = static_cast<std::uint32_t>(followed * step_of(links) % links * row_words);
    launch_single(target, follow_rows_kernel, warp_threads,
                  static_cast<const std::uint32_t*>(memory), first, loops, sink(target));
    return links_followed(loops);
}

unsigned loops_through(std::size_t bytes) {
    return static_cast<unsigned>(link_count(bytes) / links_per_loop);
}

unsigned loops_of_lanes_through(std::size_t bytes) {
    return loops_through(bytes) / parts_of_chain;
}

bool has_clusters() {
    int device = 0;
    int clusters = 0;
    check(cudaGetDevice(&device), "asking for the device in use");
    check(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, device),
          "asking whether the device has clusters of blocks");
    return clusters != 0;
}

namespace {

// A launch of clusters.
class ClusterLaunch {
  public:
    ClusterLaunch(const CeilingTarget& target, unsigned cluster_blocks, unsigned blocks,
                  unsigned threads) {
        cluster_.id = cudaLaunchAttributeClusterDimension;
        cluster_.val.clusterDim.x = cluster_blocks;
        cluster_.val.clusterDim.y = 1;
        cluster_.val.clusterDim.z = 1;
        config_.gridDim = blocks;
        config_.blockDim = threads;
        config_.stream = stream(target);
        config_.attrs = &cluster_;
        config_.numAttrs = 1;
    }
    ClusterLaunch(const ClusterLaunch&) = delete;  // config_ contains the address of cluster_
    ClusterLaunch& operator=(const ClusterLaunch&) = delete;

    cudaLaunchConfig_t& config() { return config_; }

  private:
    cudaLaunchAttribute cluster_{};
    cudaLaunchConfig_t config_{};
};

constexpr const char* measuring_clusters = "measuring clusters of blocks";

}  // namespace

double enqueue_cluster_barriers(const CeilingTarget& target, unsigned loops) {
    ClusterLaunch launch(target, blocks_of_cluster, blocks_of_cluster, block_threads);
    check(cudaLaunchKernelEx(&launch.config(), cluster_barrier_kernel, loops), measuring_clusters);
    return links_followed(loops);
}

double enqueue_distributed_links(const CeilingTarget& target, unsigned loops) {
    ClusterLaunch launch(target, blocks_of_cluster, blocks_of_cluster, warp_threads);
    check(cudaLaunchKernelEx(&launch.config(), follow_distributed_kernel, loops, sink(target)),
          measuring_clusters);
    return links_followed(loops);
}

double enqueue_turnovers(const CeilingTarget& target, void* memory, std::size_t bytes,
                         unsigned waves) {
    const std::size_t words = bytes / sizeof(std::uint32_t);
    if (words == 0 || (words & (words - 1)) != 0)
        throw std::logic_error("blocks store into 2^n words");
    launch(target, turnover_kernel, one_wave(target, turnover_kernel) * waves,
           static_cast<std::uint32_t*>(memory), static_cast<unsigned>(words - 1));
    return waves;
}

}  // namespace camber::cuda
