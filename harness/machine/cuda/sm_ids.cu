#include "harness/machine/cuda/check.hpp"
#include "harness/machine/cuda/sm_ids.hpp"

#include <memory>
#include <vector>

namespace camber::cuda {

namespace {

constexpr int most_sms = 1024;

// Blocks stay for a while, so that no SM takes the work of those still to be filled.
__global__ void note_sm(int* seen) {
    if (threadIdx.x != 0) return;
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm < most_sms) seen[sm] = 1;
    const long long start = clock64();
    while (clock64() - start < 20000) {
    }
}

}  // namespace

int count_distinct_sms(void* stream) {
    const auto queue = static_cast<cudaStream_t>(stream);
    int* seen = nullptr;
    check(cudaMalloc(&seen, most_sms * sizeof(int)), "allocating memory");
    const std::unique_ptr<int, void (*)(int*)> owner(seen, [](int* memory) { cudaFree(memory); });
    check(cudaMemsetAsync(seen, 0, most_sms * sizeof(int), queue), "clearing memory");
    note_sm<<<8 * most_sms, 64, 0, queue>>>(seen);
    check(cudaGetLastError(), "launching a kernel that tells its multiprocessor");
    std::vector<int> ids(most_sms);
    check(cudaMemcpyAsync(ids.data(), seen, most_sms * sizeof(int), cudaMemcpyDeviceToHost, queue),
          "reading the multiprocessors");
    check(cudaStreamSynchronize(queue), "telling multiprocessors");
    int distinct = 0;
    for (const int id : ids) distinct += id;
    return distinct;
}

}  // namespace camber::cuda
