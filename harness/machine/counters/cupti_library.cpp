#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/activity_records.hpp"

    #include <dlfcn.h>
    #include <fmt/format.h>

    #include <optional>
    #include <sstream>
    #include <vector>

    #include "harness/machine/counters/cupti_host.hpp"

namespace camber::counters {

namespace {

// Library paths: first the loader's choice, so that LD_LIBRARY_PATH decides; then the toolkit's
// folders.
std::vector<std::string> candidates() {
    const std::vector<std::string> names{"libcupti.so", "libcupti.so.13", "libcupti.so.12"};
    std::vector<std::string> paths = names;
    std::istringstream folders(CAMBER_CUPTI_FOLDERS);
    for (std::string folder; std::getline(folders, folder, ':');)
        for (const std::string& name : names) paths.push_back(folder + "/" + name);
    return paths;
}

std::optional<CuptiLibrary> load(const std::string& path) {
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return std::nullopt;
    CuptiLibrary library;
    bool complete = true;
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
        complete = complete && function;
    };
    #define CAMBER_FIND(function) find(library.function, #function)
    CAMBER_CUPTI_FUNCTIONS(CAMBER_FIND);
    #undef CAMBER_FIND
    if (complete) return library;
    dlclose(handle);
    return std::nullopt;
}

std::optional<CuptiLibrary> load_first() {
    for (const std::string& path : candidates())
        if (auto library = load(path)) return library;
    return std::nullopt;
}

}  // namespace

const CuptiLibrary& cupti() {
    #if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    // CUPTI opens its libraries with RTLD_DEEPBIND, for which a sanitizer ends the process
    // (github.com/google/sanitizers issue 611).
    throw Error(
        ExitCode::unavailable,
        "this camber was built with a sanitizer, which cannot live with CUPTI: for hardware "
        "counters, build without CAMBER_SANITIZE");
    #endif
    static const std::optional<CuptiLibrary> library = load_first();
    if (!library)
        throw Error(
            ExitCode::unavailable,
            fmt::format("no libcupti of CUDA 12.6 or newer can be loaded (looked for in the "
                        "loader's path and in {}): install CUPTI (Debian: cuda-cupti-13-0), "
                        "or put its folder into LD_LIBRARY_PATH",
                        CAMBER_CUPTI_FOLDERS));
    return *library;
}

void check(CUptiResult result, std::string_view action) {
    if (result == CUPTI_SUCCESS) return;
    const char* words = nullptr;
    if (cupti().cuptiGetResultString(result, &words) != CUPTI_SUCCESS || !words) words = "";
    throw counter_error(static_cast<int>(result), action, words);
}

}  // namespace camber::counters

#endif
