// Real maps, which do not come with camber: Etna before and after the eruption of 2006. Tests that
// want them skip where they are not.
#pragma once

#include <filesystem>
#include <string>

namespace camber {

inline std::filesystem::path etna_2006(const std::string& name) {
    return std::filesystem::path(CAMBER_SOURCE_DIR "/../shared/data") / "etna2006" /
           ("2006_000000000000_" + name + ".stt");
}

}  // namespace camber
