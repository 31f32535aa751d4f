#include "harness/cli/profile/source.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"

namespace camber {

namespace {

std::string without_workload(const std::string& name) {
    return name.substr(name.find('/') + 1);
}

}  // namespace

std::string the_one(const std::string& wanted, const std::vector<std::string>& names,
                    const std::string& place) {
    std::vector<std::string> found;
    std::vector<std::string> candidates;
    for (const std::string& name : names) {
        const std::string brief = without_workload(name);
        candidates.push_back(name);
        candidates.push_back(brief);
        if (name == wanted || brief == wanted) return name;
        if (matches_glob(wanted, name) || matches_glob(wanted, brief)) found.push_back(name);
    }
    if (found.empty())
        throw Error(ExitCode::usage, fmt::format("no variant {} matches '{}'{}", place, wanted,
                                                 suggestion(wanted, candidates)));
    if (found.size() > 1)
        throw Error(
            ExitCode::usage,
            fmt::format("'{}' matches {} variants, but a profile is about one: choose for "
                        "example {}, or rank all of them with camber run",
                        wanted, found.size(), fmt::join(found.begin(), found.begin() + 2, " or ")));
    return found.front();
}

const results::CaseRecord& case_of(const results::Document& document, const std::string& variant) {
    const results::CaseRecord* other = nullptr;
    for (const results::CaseRecord& record : document.cases) {
        const results::Identity& identity = record.identity;
        if (identity.variant != variant) continue;
        if (record.status == results::Status::ok && identity.backend == Backend::cuda &&
            identity.is_usual())
            return record;
        other = &record;
    }
    if (other == nullptr) throw std::logic_error("no case " + variant);
    const auto backend = other->identity.backend;
    throw Error(ExitCode::usage,
                fmt::format("this file has no GPU time of {} with warm caches and without CUDA "
                            "graphs (backend {}, status {}): choose another variant, or measure "
                            "this one with camber run --backend cuda",
                            variant, backend ? name(*backend) : "unknown", name(other->status)));
}

}  // namespace camber
