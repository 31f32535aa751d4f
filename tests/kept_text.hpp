// Stores text that is generated at run time for TechniqueInfo, whose text must exist as long as the
// program.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace camber {

inline std::string_view kept(std::string text) {
    static std::set<std::string> texts;
    return *texts.insert(std::move(text)).first;
}

}  // namespace camber
