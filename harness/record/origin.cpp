#include "harness/record/origin.hpp"

#include <fmt/format.h>

namespace camber::results {

std::string commit_text(const Run& run) {
    if (!run.git) return "unknown";
    return run.git->commit.substr(0, 12) + (run.git->dirty ? " (dirty)" : "");
}

namespace {

std::string card(const Run& run) {
    return run.gpu ? run.gpu->name : "no GPU";
}

std::string driver(const Run& run) {
    const std::string unknown = "unknown";
    return run.driver_version ? run.driver_version->value_or(unknown)
                              : run.driver.value_or(unknown);
}

std::string processor(const Run& run) {
    return run.cpu && run.cpu->model ? *run.cpu->model : "unknown";
}

}  // namespace

std::string difference_of_origin(const Run& before, const Run& now) {
    const auto differing = [](const char* what, const std::string& a, const std::string& b) {
        return a == b ? std::string() : fmt::format("{}{} against {}", what, a, b);
    };
    std::string found;
    const auto compare = [&](const char* what, const std::string& a, const std::string& b) {
        if (found.empty()) found = differing(what, a, b);
    };
    compare("", card(before), card(now));
    compare("commit ", commit_text(before), commit_text(now));
    compare("camber ", before.version, now.version);
    compare("build type ", before.build_type, now.build_type);
    compare("compiler ", before.compiler, now.compiler);
    compare("compiler flags ", before.flags.value_or(""), now.flags.value_or(""));
    if (now.gpu) {
        compare("driver ", driver(before), driver(now));
        compare("CUDA ", before.runtime.value_or("none"), now.runtime.value_or("none"));
    } else {
        compare("processor ", processor(before), processor(now));
    }
    return found;
}

}  // namespace camber::results
