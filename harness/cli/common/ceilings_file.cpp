#include "harness/cli/common/ceilings_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>

#include "analysis/published/embedded.hpp"
#include "harness/base/error.hpp"

namespace camber {

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
    // A path is a file's: the reader says what is wrong with it.
    if (fs::exists(status) || file_or_card.find('/') != std::string::npos ||
        file_or_card.ends_with(ending))
        return results::read_document(file_or_card);
    throw Error(ExitCode::usage,
                fmt::format("--ceilings is '{}', which is neither a file nor a card that camber "
                            "carries: give a file of camber ceilings --json, or one of {}",
                            file_or_card, fmt::join(card_names(), ", ")));
}

}  // namespace camber
