#include "harness/base/text.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <numeric>

namespace camber {

namespace {

struct Distance {
    std::size_t front;  // to the nearest front part of the other text
    std::size_t whole;

    auto operator<=>(const Distance&) const = default;
};

// Levenshtein 1966. The last row holds the distances to every front part of `b`.
Distance edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return {*std::ranges::min_element(row), row.back()};
}

}  // namespace

bool matches_glob(std::string_view glob, std::string_view name) {
    return fnmatch(std::string(glob).c_str(), std::string(name).c_str(), 0) == 0;
}

std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& candidates,
                                 std::size_t count) {
    std::vector<std::pair<Distance, std::string>> ranked;
    for (const std::string& candidate : candidates) {
        const Distance distance = edit_distance(text, candidate);
        if (2 * distance.front < text.size()) ranked.emplace_back(distance, candidate);
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<Distance, std::string>::first);
    std::vector<std::string> names;
    for (const auto& [distance, name] : ranked)
        if (names.size() < count && std::ranges::find(names, name) == names.end())
            names.push_back(name);
    return names;
}

std::string suggestion(std::string_view text, const std::vector<std::string>& candidates) {
    const auto names = nearest(text, candidates);
    if (names.empty()) return "";
    std::string list = names.front();
    for (std::size_t i = 1; i < names.size(); ++i)
        list += (i + 1 == names.size() ? " or " : ", ") + names[i];
    return ": did you mean " + list + "?";
}

}  // namespace camber
