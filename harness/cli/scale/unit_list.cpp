#include "harness/cli/scale/unit_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "harness/base/error.hpp"

namespace camber {

std::vector<int> parse_unit_list(std::string_view text, int most) {
    std::set<int> counts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        int count = 0;
        const auto [stop, error] = std::from_chars(text.data() + start, text.data() + end, count);
        if (error != std::errc() || stop != text.data() + end || count < 1 || count > most)
            throw Error(ExitCode::usage,
                        fmt::format("--units {} is no list of numbers from 1 to {}: write for "
                                    "example --units 1,2,4",
                                    text, most));
        counts.insert(count);
        start = end + 1;
    }
    return {counts.begin(), counts.end()};
}

}  // namespace camber
