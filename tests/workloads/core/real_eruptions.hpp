// Real eruptions of Etna, which do not come with camber. Tests that want one are skipped where it
// is not.
#pragma once

#include <filesystem>
#include <string>

#include "tests/catch.hpp"

namespace camber {

// The folder of one: "etna2001" or "etna2006".
inline std::filesystem::path real_eruption(const std::string& name) {
    const auto folder =
        std::filesystem::path(CAMBER_SOURCE_DIR "/../shared/data").lexically_normal() / name;
    if (!std::filesystem::exists(folder))
        skip_test("the folder " + name + " is absent (" + folder.string() + ")");
    return folder;
}

// A map of that of 2006: "Morphology".
inline std::filesystem::path etna_2006(const std::string& map) {
    return real_eruption("etna2006") / ("2006_000000000000_" + map + ".stt");
}

}  // namespace camber
