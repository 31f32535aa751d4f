#include "harness/cli/common/files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "analysis/published/embedded.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

bool are_one(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    if (!fs::exists(a, ignored) || !fs::exists(b, ignored)) return followed(a) == followed(b);
    return !fs::is_other(a, ignored) && fs::equivalent(a, b, ignored);
}

// True if `file` is in `folder`, an eruption's input folder, and of a kind that is read from it.
bool is_in(const fs::path& folder, const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored) || !fs::is_regular_file(file, ignored)) return false;
    const fs::path target = followed(file);
    constexpr std::string_view kinds[] = {".cfg", ".asc", ".stt", ".txt"};
    return std::ranges::find(kinds, target.extension().string()) != std::end(kinds) &&
           fs::equivalent(folder, target.parent_path(), ignored);
}

std::string shown(const NamedFile& file) {
    return file.name == file.path ? fmt::format("\"{}\"", file.path.string())
                                  : fmt::format("{} \"{}\"", file.name, file.path.string());
}

}  // namespace

std::vector<NamedFile> named(const std::vector<std::string>& paths) {
    std::vector<NamedFile> files;
    for (const std::string& path : paths) files.push_back({path, path});
    return files;
}

void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
    for (const NamedFile& output : outputs) {
        if (output.path.empty()) continue;
        for (const NamedFile& input : inputs)
            if (!input.path.empty() &&
                (are_one(input.path, output.path) || is_in(input.path, output.path)))
                throw Error(ExitCode::usage,
                            fmt::format("{} would overwrite what is read, {}: choose another file",
                                        shown(output), shown(input)));
        for (const NamedFile& other : outputs) {
            if (&other == &output) break;
            if (!other.path.empty() && are_one(other.path, output.path))
                throw Error(ExitCode::usage, fmt::format("{} and {} are the same file: choose two",
                                                         shown(other), shown(output)));
        }
    }
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".json";

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::optional<results::Document> carried_card(const std::string& card) {
    const std::string file = lower_case(card) + std::string(ending);
    for (const auto& [cards, folder] :
         {std::pair{&published::embedded_measured_cards(), "results/cards/"},
          std::pair{&published::embedded_cards(), "results/published-cards/"}})
        for (const auto& [name, text] : *cards)
            if (name == file) return results::parse_document(text, folder + file);
    return std::nullopt;
}

}  // namespace

std::vector<std::string> card_names() {
    std::vector<std::string> names;
    for (const auto* cards : {&published::embedded_measured_cards(), &published::embedded_cards()})
        for (const auto& [name, text] : *cards)
            names.emplace_back(name.substr(0, name.size() - ending.size()));
    return names;
}

results::Document read_ceilings(const std::string& file_or_card) {
    std::error_code ignored;
    const auto status = fs::status(file_or_card, ignored);
    if (!fs::exists(status) || fs::is_directory(status))
        if (auto document = carried_card(file_or_card)) return std::move(*document);
    // Existing files and names that look like paths are read as files, so that the reader reports
    // errors.
    if (fs::exists(status) || file_or_card.find('/') != std::string::npos ||
        file_or_card.ends_with(ending))
        return results::read_document(file_or_card);
    throw Error(ExitCode::usage,
                fmt::format("--ceilings is '{}', which is neither a file nor a card that camber "
                            "carries: give a file of camber ceilings --json, or one of {}",
                            file_or_card, fmt::join(card_names(), ", ")));
}

}  // namespace camber
