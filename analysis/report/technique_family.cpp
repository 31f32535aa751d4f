#include "analysis/report/technique_family.hpp"

#include <algorithm>
#include <initializer_list>

namespace camber::report {

int family_of(std::string_view technique) {
    const auto has = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(words, [&](std::string_view word) {
            return technique.find(word) != std::string_view::npos;
        });
    };
    if (technique.empty()) return 6;
    if (has({"generation"})) return 5;
    if (has({"stream", "slide"})) return 4;
    if (has({"packed", "element", "vector"})) return 3;
    if (has({"texture", "constant"})) return 2;
    if (has({"shared", "thread_per_input"})) return 1;
    return 0;
}

}  // namespace camber::report
