#include "harness/own/problem/array_workload.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "include/camber/reference.h"

namespace camber {

ReferenceLibrary::ReferenceLibrary(const std::filesystem::path& path) : path_(path) {
    const auto reject = [&](const std::string& why) {
        throw Error(ExitCode::usage, fmt::format("reference {} {}", path.string(), why));
    };
    const CandidateActivity loading(CandidateWork::loading, path.string(), candidate_limits().work);
    // A name without a folder would be searched among the system's libraries.
    handle_ = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) reject(fmt::format("cannot be loaded: {}", dlerror()));
    const auto* const version = static_cast<const int*>(dlsym(handle_, "camber_reference_version"));
    function_ = dlsym(handle_, "camber_reference");
    if (!version || !function_)
        reject("exports no reference: write CAMBER_REFERENCE { ... }, of camber/reference.h");
    if (*version != CAMBER_REFERENCE_VERSION)
        reject(fmt::format("has version {} of camber/reference.h, and this program has {}: compile "
                           "it again with this program's header",
                           *version, CAMBER_REFERENCE_VERSION));
}

ReferenceLibrary::~ReferenceLibrary() {
    if (handle_) dlclose(handle_);
}

void ReferenceLibrary::compute(const std::vector<NamedArray>& arrays, State& state) const {
    std::vector<std::string> types;
    types.reserve(arrays.size());
    std::vector<CamberReferenceArray> passed;
    for (const NamedArray& array : arrays) {
        types.push_back(array.type.name());
        CamberReferenceArray& one = passed.emplace_back();
        one = {array.name.c_str(), types.back().c_str(), static_cast<int>(array.shape.size()), {},
               state.field(array.name).bytes().data()};
        for (std::size_t i = 0; i < array.shape.size(); ++i) one.shape[i] = array.shape[i];
    }
    const CamberReferenceProblem problem{passed.data(), static_cast<int>(passed.size())};
    const auto call = reinterpret_cast<int (*)(const CamberReferenceProblem*)>(function_);
    if (const int failure = call(&problem); failure != 0)
        throw Error(ExitCode::wrong_result,
                    fmt::format("reference {} has failed: camber_reference() returned {}",
                                path_.string(), failure));
}

}  // namespace camber
