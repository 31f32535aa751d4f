// Text made at run time where a TechniqueInfo wants what lives as long as the program.
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
