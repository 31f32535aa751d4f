// A profiler that NVTX loads if NVTX_INJECTION64_PATH names it: it writes the ranges of the domain
// `camber`, indented by their depth, to the file that FAKE_PROFILER_LOG names.
#include <nvtx3/nvToolsExt.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

std::ofstream& log() {
    static std::ofstream file(std::getenv("FAKE_PROFILER_LOG"));
    return file;
}

int depth = 0;

int NVTX_API push(nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes) {
    const auto* name = reinterpret_cast<const std::string*>(attributes->message.registered);
    log() << std::string(static_cast<std::size_t>(depth), ' ') << *name << ' '
          << attributes->payload.llValue << '\n';
    return depth++;
}

int NVTX_API pop(nvtxDomainHandle_t) {
    return --depth;
}

nvtxDomainHandle_t NVTX_API create_domain(const char*) {
    static int domain;
    return reinterpret_cast<nvtxDomainHandle_t>(&domain);
}

nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t, const char* text) {
    static std::vector<std::unique_ptr<std::string>> names;
    return reinterpret_cast<nvtxStringHandle_t>(
        names.emplace_back(std::make_unique<std::string>(text)).get());
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_export_table) {
    const auto* callbacks =
        static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size))
        return 0;
    const auto set = [&](unsigned id, auto function) {
        if (id < size) *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
    };
    set(NVTX_CBID_CORE2_DomainRangePushEx, push);
    set(NVTX_CBID_CORE2_DomainRangePop, pop);
    set(NVTX_CBID_CORE2_DomainCreateA, create_domain);
    set(NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
    return 1;
}
