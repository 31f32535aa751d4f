// Real eruptions of Etna, which are not part of camber. Tests that need one are skipped if it is
// missing.
#pragma once

#include <filesystem>
#include <string>

#include "tests/catch.hpp"

namespace camber {

// Folder of an eruption: "etna2001" or "etna2006".
inline std::filesystem::path real_eruption(const std::string& name) {
    const auto folder =
        std::filesystem::path(CAMBER_SOURCE_DIR "/../shared/data").lexically_normal() / name;
    if (!std::filesystem::exists(folder))
        skip_test("the folder " + name + " is absent (" + folder.string() + ")");
    return folder;
}

// Map of the 2006 eruption: "Morphology".
inline std::filesystem::path etna_2006(const std::string& map) {
    return real_eruption("etna2006") / ("2006_000000000000_" + map + ".stt");
}

}  // namespace camber
