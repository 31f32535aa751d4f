#include "harness/cli/common/size_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "harness/base/error.hpp"

namespace camber {

bool parse_pair(std::string_view text, char separator, std::int64_t& first, std::int64_t& second) {
    const auto middle = text.find(separator);
    if (middle == std::string_view::npos) return false;
    const auto number = [](std::string_view digits, std::int64_t& value) {
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    return number(text.substr(0, middle), first) && number(text.substr(middle + 1), second);
}

Size parse_size(const std::string& text) {
    constexpr std::int64_t longest = 1 << 25;  // a tile of rows so long still has 32-bit offsets
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    if (!parse_pair(text, 'x', columns, rows))
        throw Error(
            ExitCode::usage,
            fmt::format("size '{}' is not COLUMNSxROWS: write for example 1600x1200", text));
    if (columns < 1 || rows < 1 || columns > longest || rows > longest)
        throw Error(ExitCode::usage,
                    fmt::format("size {} is impossible: columns and rows must be between 1 and {}",
                                text, longest));
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

namespace {

// From `first`, doubled until `last`.
std::vector<std::string> doubled(const std::string& first, const std::string& last) {
    const Size end = parse_size(last);
    std::vector<std::string> sizes;
    for (Size size = parse_size(first); size.columns <= end.columns && size.rows <= end.rows;
         size = {2 * size.columns, 2 * size.rows}) {
        sizes.push_back(fmt::format("{}x{}", size.columns, size.rows));
        if (size == end) return sizes;
    }
    throw Error(ExitCode::usage,
                fmt::format("sizes {}..{} do not double: columns and rows of the last size must "
                            "be 2, 4, 8... times those of the first; write for example "
                            "64x64..1024x1024",
                            first, last));
}

}  // namespace

std::vector<std::string> sizes_in(const std::string& list) {
    std::vector<std::string> sizes;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        const std::string item = list.substr(start, end - start);
        const auto dots = item.find("..");
        if (dots == std::string::npos) {
            if (!list.empty()) parse_size(item);
            sizes.push_back(item);
        } else {
            std::ranges::copy(doubled(item.substr(0, dots), item.substr(dots + 2)),
                              std::back_inserter(sizes));
        }
        start = end + 1;
    }
    for (auto size = sizes.begin(); size != sizes.end(); ++size)
        if (std::find(sizes.begin(), size, *size) != size)
            throw Error(ExitCode::usage,
                        fmt::format("size {} is given twice: leave out one", *size));
    return sizes;
}

}  // namespace camber
