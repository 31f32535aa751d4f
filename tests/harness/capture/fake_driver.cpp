// Replaces libcuda.so.1 and, by a second name, libcupti.so.13 (fake_cupti.cpp) in tests: device memory
// is memory of the host, and a kernel is a function of fake_kernels.cpp with the kernel's name. Times
// are those of a clock that only launches advance.
//
// Environment variables: FAKE_DRIVER_VERSION (13000), FAKE_CUPTI_TAKEN (another tool uses CUPTI),
// FAKE_MISS (reserved addresses are never the wanted ones), FAKE_FREE_BYTES (free disk space, if
// this library is preloaded), FAKE_DEVICES (1).
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/capture/fake_state.hpp"

using namespace camber::capture;
using namespace fake;

namespace {

constexpr CuResult invalid_value = 1;
constexpr std::size_t granularity = std::size_t{2} << 20;

}  // namespace

// True if all bytes are in an allocation or a variable.
bool is_valid(std::uint64_t address, std::size_t bytes) {
    auto next = state().allocations.upper_bound(address);
    if (next == state().allocations.begin()) return false;
    --next;
    return address + bytes <= next->first + next->second.bytes;
}

namespace {

// ---- ELF
template <class T>
const T& in(const std::string& image, std::size_t offset) {
    return *reinterpret_cast<const T*>(image.data() + offset);
}

void read_variables(FakeModule& module) {
    const std::string& image = module.image;
    const auto& header = in<Elf64_Ehdr>(image, 0);
    const auto section = [&](std::size_t k) -> const Elf64_Shdr& {
        return in<Elf64_Shdr>(image, header.e_shoff + k * sizeof(Elf64_Shdr));
    };
    for (std::size_t k = 0; k < header.e_shnum; ++k) {
        if (section(k).sh_type != SHT_SYMTAB) continue;
        const Elf64_Shdr& names = section(section(k).sh_link);
        for (std::size_t s = 0; s < section(k).sh_size / sizeof(Elf64_Sym); ++s) {
            const auto& symbol = in<Elf64_Sym>(image, section(k).sh_offset + s * sizeof(Elf64_Sym));
            if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT) continue;
            const auto* const data = reinterpret_cast<const unsigned char*>(image.data()) +
                                     section(symbol.st_shndx).sh_offset + symbol.st_value;
            module.variables[image.data() + names.sh_offset + symbol.st_name].assign(
                data, data + symbol.st_size);
        }
    }
}

std::size_t image_bytes(const void* image) {
    const auto& header = *static_cast<const Elf64_Ehdr*>(image);
    return header.e_shoff + std::size_t{header.e_shnum} * sizeof(Elf64_Shdr);
}

// ---- launches
void tell_module(FakeModule& module) {
    if (std::exchange(module.loaded, true) || state().callback == nullptr) return;
    CuptiModule description{1, module.image.size(), module.image.data()};
    CuptiResource resource{nullptr, nullptr, &description};
    state().callback(state().callback_data, cupti_resources, cupti_module_loaded, &resource);
}

CuResult run(const CuLaunchConfig& config, Function& function, void** arguments,
             std::uint32_t correlation) {
    tell_module(*function.module);
    if (state().records_graph) return 0;
    if (state().failed != 0) return state().failed;
    const std::uint64_t start = state().clock += 100;
    state().failed = function.kernel->body(Arguments(arguments, *function.module, config));
    state().clock += function.kernel->nanoseconds;
    if (state().activity)
        state().records.push_back({function.name, config, start, state().clock, correlation});
    return 0;
}

CuResult called(std::uint32_t call, const char* name, const void* parameters,
                const CuLaunchConfig& config, CuFunction handle, void** arguments) {
    auto& function = *reinterpret_cast<Function*>(handle);
    CuResult result = 0;
    std::uint64_t data = 0;
    CuptiCall info{0, name,  parameters,           &result, function.name.c_str(), nullptr,
                   1, &data, ++state().correlation};
    const std::uint32_t correlation = info.correlation;
    if (state().callback != nullptr)
        state().callback(state().callback_data, cupti_driver_calls, call, &info);
    result = run(config, function, arguments, correlation);
    info.site = 1;
    if (state().callback != nullptr)
        state().callback(state().callback_data, cupti_driver_calls, call, &info);
    return result;
}

// Without a hint, far from where the system maps libraries.
std::uint64_t mapped(std::uint64_t hint, std::size_t bytes) {
    static std::uint64_t next = 0x200000000000;
    static const std::uint64_t offset = variable("FAKE_MISS") != nullptr ? 0x10000000000 : 0;
    if (hint == 0) {
        hint = next + offset;
        next += (bytes + granularity - 1) / granularity * granularity;
    }
    void* place = mmap(reinterpret_cast<void*>(hint), bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (place == MAP_FAILED)
        place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return reinterpret_cast<std::uint64_t>(place);
}

void* memory(CuAddress address) {
    return reinterpret_cast<void*>(address);
}

}  // namespace

extern "C" {

// ---- driver
CuResult cuInit(unsigned) {
    static bool first = true;
    if (!std::exchange(first, false)) return 0;
    const char* const injection = variable("CUDA_INJECTION64_PATH");
    if (injection == nullptr) return 0;
    if (void* const library = dlopen(injection, RTLD_NOW))
        if (void* const entry = dlsym(library, "InitializeInjection"))
            reinterpret_cast<int (*)()>(entry)();
    return 0;
}

CuResult cuDriverGetVersion(int* version) {
    *version = variable("FAKE_DRIVER_VERSION") != nullptr
                   ? std::atoi(variable("FAKE_DRIVER_VERSION"))
                   : 13000;
    return 0;
}

CuResult cuGetErrorName(CuResult error, const char** name) {
    *name = error == illegal_address ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_INVALID_VALUE";
    return 0;
}

CuResult cuDeviceGetCount(int* count) {
    *count = variable("FAKE_DEVICES") != nullptr ? std::atoi(variable("FAKE_DEVICES")) : 1;
    return 0;
}
CuResult cuDeviceGet(CuDevice* device, int index) {
    *device = index;
    return 0;
}
CuResult cuDeviceGetName(char* name, int bytes, CuDevice) {
    std::strncpy(name, "Fake GPU", static_cast<std::size_t>(bytes));
    return 0;
}
CuResult cuDeviceGetAttribute(int* value, int attribute, CuDevice) {
    *value = attribute == cu_device_capability_major  ? 9
             : attribute == cu_device_l2_bytes        ? 1 << 20
             : attribute == cu_device_multiprocessors ? 4
             : attribute == cu_device_pageable_access ? 1
                                                      : 0;
    return 0;
}
CuResult cuDevicePrimaryCtxRetain(CuContext*, CuDevice) {
    return 0;
}
CuResult cuCtxSetCurrent(CuContext) {
    return 0;
}
CuResult cuCtxGetDevice(CuDevice* device) {
    *device = 0;
    return 0;
}
CuResult cuCtxSynchronize() {
    return state().failed;
}

CuResult cuModuleLoadData(CuModule* module, const void* image) {
    auto loaded = std::make_unique<FakeModule>();
    loaded->image.assign(static_cast<const char*>(image), image_bytes(image));
    read_variables(*loaded);
    *module = reinterpret_cast<CuModule>(loaded.get());
    state().modules.push_back(std::move(loaded));
    return 0;
}
CuResult cuModuleGetFunction(CuFunction* function, CuModule handle, const char* name) {
    auto* const module = reinterpret_cast<FakeModule*>(handle);
    const auto kernel = kernels().find(name);
    if (kernel == kernels().end() || module->image.find(name) == std::string::npos)
        return cu_not_found;
    auto& found = state().functions[{module, name}];
    if (!found) found = std::make_unique<Function>(Function{name, &kernel->second, module});
    *function = reinterpret_cast<CuFunction>(found.get());
    return 0;
}
CuResult cuModuleGetGlobal_v2(CuAddress* address, std::size_t* bytes, CuModule handle,
                              const char* name) {
    auto& variables = reinterpret_cast<FakeModule*>(handle)->variables;
    const auto found = variables.find(name);
    if (found == variables.end()) return cu_not_found;
    *address = reinterpret_cast<CuAddress>(found->second.data());
    *bytes = found->second.size();
    return 0;
}
CuResult cuKernelGetFunction(CuFunction*, CuFunction) {
    return invalid_value;
}
CuResult cuFuncGetModule(CuModule* module, CuFunction function) {
    *module = reinterpret_cast<CuModule>(reinterpret_cast<Function*>(function)->module);
    return 0;
}
CuResult cuFuncLoad(CuFunction function) {
    tell_module(*reinterpret_cast<Function*>(function)->module);
    return 0;
}
CuResult cuFuncGetAttribute(int* value, int attribute, CuFunction) {
    constexpr int most_threads = 512;
    *value = attribute == cu_function_max_threads ? most_threads : 0;
    return 0;
}
CuResult cuFuncSetAttribute(CuFunction, int, int) {
    return 0;
}
CuResult cuFuncGetParamInfo(CuFunction function, std::size_t index, std::size_t* offset,
                            std::size_t* bytes) {
    const auto& all = reinterpret_cast<Function*>(function)->kernel->parameter_bytes;
    if (index >= all.size()) return invalid_value;
    *offset = 0;
    for (std::size_t k = 0; k < index; ++k) *offset += all[k];
    *bytes = all[index];
    return 0;
}

CuResult cuLaunchKernelEx(const CuLaunchConfig* config, CuFunction function, void** arguments,
                          void** extra) {
    const CuptiLaunchExParameters parameters{config, function, arguments, extra};
    return called(cupti_launch_ex, "cuLaunchKernelEx", &parameters, *config, function, arguments);
}
CuResult cuLaunchKernel(CuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CuStream stream, void** arguments, void** extra) {
    const CuLaunchConfig config{
        {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, nullptr, 0};
    const CuptiLaunchParameters parameters{function,
                                           {grid_x, grid_y, grid_z},
                                           {block_x, block_y, block_z},
                                           shared_bytes,
                                           stream,
                                           arguments,
                                           extra};
    return called(cupti_launch, "cuLaunchKernel", &parameters, config, function, arguments);
}

CuResult cuMemAlloc_v2(CuAddress* address, std::size_t bytes) {
    *address = mapped(0, (bytes + granularity - 1) / granularity * granularity);
    state().allocations[*address] = {bytes};
    return 0;
}
CuResult cuMemAllocManaged(CuAddress* address, std::size_t bytes, unsigned) {
    const CuResult result = cuMemAlloc_v2(address, bytes);
    state().allocations[*address].managed = 1;
    return result;
}
CuResult cuMemFree_v2(CuAddress address) {
    state().allocations.erase(address);
    return 0;
}
CuResult cuMemcpyAsync(CuAddress to, CuAddress from, std::size_t bytes, CuStream) {
    if (state().failed != 0) return state().failed;
    std::memcpy(memory(to), memory(from), bytes);
    return 0;
}
CuResult cuMemsetD8Async(CuAddress to, unsigned char value, std::size_t bytes, CuStream) {
    if (state().failed != 0) return state().failed;
    std::memset(memory(to), value, bytes);
    return 0;
}
CuResult cuMemHostRegister_v2(void* address, std::size_t bytes, unsigned) {
    state().allocations[reinterpret_cast<std::uint64_t>(address)] = {bytes, 1};
    return 0;
}
CuResult cuPointerGetAttributes(unsigned count, int* names, void** values, CuAddress address) {
    auto next = state().allocations.upper_bound(address);
    const bool found = next != state().allocations.begin() &&
                       address - std::prev(next)->first < std::prev(next)->second.bytes;
    for (unsigned k = 0; k < count; ++k) {
        const bool is_word =
            names[k] == cu_pointer_range_start || names[k] == cu_pointer_range_bytes;
        std::memset(values[k], 0, is_word ? 8 : 4);
        if (!found) continue;
        const auto& [start, allocation] = *std::prev(next);
        if (names[k] == cu_pointer_range_start) std::memcpy(values[k], &start, 8);
        if (names[k] == cu_pointer_range_bytes) std::memcpy(values[k], &allocation.bytes, 8);
        if (names[k] == cu_pointer_memory_type) std::memcpy(values[k], &allocation.type, 4);
        if (names[k] == cu_pointer_is_managed) std::memcpy(values[k], &allocation.managed, 4);
    }
    return 0;
}

CuResult cuMemAddressReserve(CuAddress* address, std::size_t bytes, std::size_t, CuAddress hint,
                             unsigned long long) {
    *address = mapped(variable("FAKE_MISS") != nullptr ? 0 : hint, bytes);
    state().allocations[*address] = {bytes};
    return 0;
}
CuResult cuMemAddressFree(CuAddress address, std::size_t bytes) {
    munmap(memory(address), bytes);
    return 0;
}
CuResult cuMemGetAllocationGranularity(std::size_t* bytes, const CuAllocationProperties*, int) {
    *bytes = granularity;
    return 0;
}
CuResult cuMemCreate(unsigned long long* handle, std::size_t, const CuAllocationProperties*,
                     unsigned long long) {
    *handle = 1;
    return 0;
}
CuResult cuMemMap(CuAddress, std::size_t, std::size_t, unsigned long long, unsigned long long) {
    return 0;
}
CuResult cuMemSetAccess(CuAddress, std::size_t, const CuAccess*, std::size_t) {
    return 0;
}

CuResult cuStreamCreate(CuStream* stream, unsigned) {
    *stream = nullptr;
    return 0;
}
CuResult cuStreamDestroy_v2(CuStream) {
    return 0;
}
CuResult cuStreamSynchronize(CuStream) {
    return state().failed;
}
CuResult cuStreamIsCapturing(CuStream, int* status) {
    *status = state().records_graph ? 1 : 0;
    return 0;
}
CuResult cuStreamBeginCapture_v2(CuStream, int) {
    state().records_graph = true;
    return 0;
}
CuResult cuStreamEndCapture(CuStream, void**) {
    state().records_graph = false;
    return 0;
}
CuResult cuThreadExchangeStreamCaptureMode(int* mode) {
    static int current = 0;
    std::swap(*mode, current);
    return 0;
}

CuResult cuEventCreate(CuEvent* event, unsigned) {
    *event = reinterpret_cast<CuEvent>(new std::uint64_t(0));
    return 0;
}
CuResult cuEventDestroy_v2(CuEvent event) {
    delete reinterpret_cast<std::uint64_t*>(event);
    return 0;
}
CuResult cuEventRecord(CuEvent event, CuStream) {
    *reinterpret_cast<std::uint64_t*>(event) = state().clock;
    return 0;
}
CuResult cuEventElapsedTime(float* milliseconds, CuEvent begin, CuEvent end) {
    *milliseconds = static_cast<float>(*reinterpret_cast<std::uint64_t*>(end) -
                                       *reinterpret_cast<std::uint64_t*>(begin)) /
                    1e6F;
    return 0;
}

// ---- C library
int statvfs(const char* path, struct statvfs* disk) {
    using Real = int (*)(const char*, struct statvfs*);
    const auto real = reinterpret_cast<Real>(dlsym(RTLD_NEXT, "statvfs"));
    const int result = real(path, disk);
    if (const char* const bytes = variable("FAKE_FREE_BYTES")) {
        disk->f_frsize = 1;
        disk->f_bavail = std::strtoull(bytes, nullptr, 10);
    }
    return result;
}

}  // extern "C"
