#include "harness/capture/cupti_records.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace camber::capture {

namespace {

Cupti functions_of(void* library) {
    Cupti found;
    bool complete = true;
#define CAMBER_FIND_CALL(symbol, name, parameters)                                \
    found.name = reinterpret_cast<decltype(found.name)>(dlsym(library, #symbol)); \
    complete = complete && found.name != nullptr;
    CAMBER_CUPTI_CALLS(CAMBER_FIND_CALL)
#undef CAMBER_FIND_CALL
    return complete ? found : Cupti{};
}

constexpr std::size_t record_buffer_bytes = std::size_t{1} << 20;

// Global, because CUPTI passes no pointer of the caller.
struct Visitor {
    const Cupti* cupti = nullptr;
    std::function<void(const CuptiKernelRecord&)> visit;
};
Visitor& visitor() {
    static Visitor* const only = new Visitor;  // CUPTI's thread may outlive static objects
    return *only;
}

void provide_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, record_buffer_bytes));
    *bytes = *buffer != nullptr ? record_buffer_bytes : 0;
    *records = 0;  // as many as fit
}

void take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    void* record = nullptr;
    while (valid > 0 && visitor().cupti->next_record(buffer, valid, &record) == 0) {
        const auto* const kernel = static_cast<const CuptiKernelRecord*>(record);
        if (std::ranges::find(cupti_kernel_kinds, kernel->kind) != std::end(cupti_kernel_kinds))
            visitor().visit(*kernel);
    }
    std::free(buffer);
}

}  // namespace

std::string Cupti::described(int error) const {
    const char* text = nullptr;
    if (result_text == nullptr || result_text(error, &text) != 0 || text == nullptr) text = "error";
    return fmt::format("{} ({})", text, error);
}

std::vector<Cupti> Cupti::candidates(const std::vector<std::string>& folders) {
    const std::vector<std::string> names{"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    std::vector<Cupti> all;
    std::vector<void*> libraries;
    const auto add = [&](const std::string& path, int flags) {
        void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | flags);
        if (library == nullptr || std::ranges::find(libraries, library) != libraries.end()) return;
        libraries.push_back(library);
        if (const Cupti found = functions_of(library); found.complete()) all.push_back(found);
    };
    for (const std::string& name : names) add(name, RTLD_NOLOAD);
    if (!all.empty()) return all;
    for (const std::string& name : names) add(name, 0);
    for (const std::string& folder : folders)
        for (const std::string& name : names) add(folder + "/" + name, 0);
    return all;
}

int start_kernel_records(const Cupti& cupti, std::function<void(const CuptiKernelRecord&)> visit) {
    visitor().cupti = &cupti;
    visitor().visit = std::move(visit);
    static const int registered = cupti.register_buffers(provide_buffer, take_buffer);
    if (registered != 0) return registered;
    return cupti.enable_activity(cupti_concurrent_kernels);
}

void stop_kernel_records(const Cupti& cupti) {
    cupti.disable_activity(cupti_concurrent_kernels);
    cupti.flush(1);
}

}  // namespace camber::capture
