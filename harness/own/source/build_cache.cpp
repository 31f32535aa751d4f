#include "harness/own/source/build_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <system_error>

#include "workloads/core/state_cells.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "candidate-";
constexpr std::uintmax_t most_bytes = 128 << 20;

std::uint64_t checksum(std::string_view text) {
    Checksum sum;
    sum.add(std::as_bytes(std::span(text)));
    return sum.value();
}

std::optional<std::uint64_t> checksum_of_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    return checksum(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::string name_of(std::string_view recipe) {
    return fmt::format("{}{:016x}", prefix, checksum(recipe));
}

}  // namespace

// Format of a cached file: the recipe's length and text, because two recipes may have the same
// checksum; a line "CHECKSUM PATH" for each included file; an empty line; the build result.
std::optional<std::string> BuildCache::find(std::string_view recipe) const {
    std::optional<std::string> kept = folder_.read(name_of(recipe));
    if (!kept) return std::nullopt;
    std::string_view rest = *kept;
    const std::string head = fmt::format("{}\n", recipe.size());
    if (!rest.starts_with(head) || !rest.substr(head.size()).starts_with(recipe))
        return std::nullopt;
    rest.remove_prefix(head.size() + recipe.size());
    while (true) {
        const std::size_t end = rest.find('\n');
        if (end == rest.npos) return std::nullopt;
        const std::string line(rest.substr(0, end));
        rest.remove_prefix(end + 1);
        if (line.empty()) return std::string(rest);
        const std::size_t space = line.find(' ');
        if (space == line.npos) return std::nullopt;
        const auto now = checksum_of_file(line.substr(space + 1));
        if (!now || fmt::format("{:016x}", *now) != line.substr(0, space)) return std::nullopt;
    }
}

void BuildCache::keep(std::string_view recipe, const std::vector<fs::path>& included,
                      std::string_view built) const {
    std::string text = fmt::format("{}\n{}", recipe.size(), recipe);
    for (const fs::path& path : included) {
        const auto sum = checksum_of_file(path);
        if (!sum || path.string().find('\n') != std::string::npos) return;
        text += fmt::format("{:016x} {}\n", *sum, path.string());
    }
    text += '\n';
    text += built;
    folder_.write(name_of(recipe), text);
    folder_.make_room(prefix, most_bytes);
}

std::string identity_of(const fs::path& program) {
    std::error_code error;
    const fs::path real = fs::canonical(program, error);
    const auto size = fs::file_size(real, error);
    const auto written = fs::last_write_time(real, error).time_since_epoch().count();
    return fmt::format("{} {} {}", real.string(), size, written);
}

std::vector<fs::path> included_files(std::string_view makefile, const fs::path& unit) {
    std::vector<fs::path> files;
    std::string name;
    const auto finish = [&] {
        if (!name.empty() && !name.ends_with(':') && name != unit.string()) files.push_back(name);
        name.clear();
    };
    for (std::size_t i = 0; i < makefile.size(); ++i) {
        const char c = makefile[i];
        const char next = i + 1 < makefile.size() ? makefile[i + 1] : '\n';
        if (c == '\\' && next != '\n')
            name += makefile[++i];  // an escaped space in a name
        else if (c == '$' && next == '$')
            name += makefile[++i];
        else if (c == ' ' || c == '\n' || c == '\\' || c == '\t')
            finish();
        else
            name += c;
    }
    finish();
    return files;
}

}  // namespace camber
