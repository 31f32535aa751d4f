// A folder in which a program runs with the fake driver, is captured and replayed.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/environment_variable.hpp"
#include "tests/harness/capture/fake_cubin.hpp"
#include "tests/harness/capture/fake_paths.hpp"
#include "tests/program/program.hpp"

namespace camber::capture_test {

using namespace cli_test;

inline std::string driver_folder() {
    return fs::path(built::fake_driver).parent_path().string();
}

// A folder in which programs find the fake driver.
struct Place {
    TestFolder folder;
    EnvironmentVariable libraries{"LD_LIBRARY_PATH", driver_folder()};

    Outcome run(const Arguments& arguments) const { return run_program(arguments, folder.path()); }
    Outcome list(const Arguments& launches) const {
        return run(with({"capture", "--list", "--", built::fake_gpu_program}, launches));
    }
    // Captures into the folder "c".
    Outcome capture(const std::string& kernel, const Arguments& launches,
                    const Arguments& options = {}) const {
        Arguments arguments{"capture", "--kernel", kernel, "--out", "c"};
        arguments = with(arguments, options);
        return run(with(with(arguments, {"--", built::fake_gpu_program}), launches));
    }
    Json index() const { return Json::parse(text_of(folder / "c/launch.json")); }
    // Writes a compiled candidate with this kernel.
    std::string candidate(const std::string& kernel, bool with_variable = true) const {
        const std::string name = kernel + ".cubin";
        std::ofstream file(folder / name, std::ios::binary);
        if (with_variable)
            file << fake_cubin({kernel}, {{"weight", std::string(4, '\0')}});
        else
            file << fake_cubin({kernel});
        return name;
    }
};

}  // namespace camber::capture_test
