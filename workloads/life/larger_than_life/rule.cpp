#include "workloads/life/larger_than_life/rule.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>

#include "harness/base/error.hpp"

namespace camber {

namespace {

constexpr std::string_view how = "write it as R5,B34..45,S33..57";

std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (c != ' ' && c != '\t')
            result += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return result;
}

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || text[0] == '-' || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// Parses "34..45", or "3" for "3..3".
std::optional<Interval> interval(std::string_view text) {
    const auto dots = text.find("..");
    const auto least = number(text.substr(0, dots));
    const auto most = dots == std::string_view::npos ? least : number(text.substr(dots + 2));
    if (!least || !most) return std::nullopt;
    return Interval{*least, *most};
}

class Reader {
  public:
    Reader(std::string_view text, std::string_view what) : what_(what) {
        const std::string all = plain(text);
        for (std::size_t start = 0; start <= all.size();) {
            const std::size_t end = std::min(all.find(',', start), all.size());
            take(all.substr(start, end - start));
            start = end + 1;
        }
    }

    LargerThanLife::Parameters read() const {
        LargerThanLife::Parameters parameters;
        parameters.radius = number_of('R', "its radius");
        if (parameters.radius < 1 || parameters.radius > largest_radius)
            fail(fmt::format("has radius {}, and camber computes 1 to {}: choose one of these",
                             parameters.radius, largest_radius));
        if (parts_.contains('C') && number_of('C', "its states") > 2)
            fail(fmt::format("has {} states, and camber's cells live or are dead: write C2",
                             parts_.at('C')));
        if (parts_.contains('N') && parts_.at('N') != "M")
            fail(fmt::format("has the neighbourhood N{}, and camber computes the square: write NM",
                             parts_.at('N')));
        const int middle = parts_.contains('M') ? number_of('M', "whether the cell counts") : 0;
        if (middle > 1)
            fail(fmt::format("has M{}: write M1 if the cell itself counts, else M0", middle));
        const int side = 2 * parameters.radius + 1;
        const int most = side * side - 1 + middle;
        parameters.birth = interval_of('B', "when cells are born", most);
        parameters.survival = interval_of('S', "when cells survive", most);
        // M0 excludes a live cell from its own count, and counts here include it: the limits of
        // survival increase by one.
        if (middle == 0) {
            ++parameters.survival.least;
            ++parameters.survival.most;
        }
        return parameters;
    }

  private:
    void take(const std::string& part) {
        if (part.empty() || std::string_view("RCMSBN").find(part[0]) == std::string_view::npos)
            fail(fmt::format("has a part '{}' that says nothing: {}", part, how));
        if (!parts_.emplace(part[0], part.substr(1)).second)
            fail(fmt::format("says {} twice: leave out one", part[0]));
    }

    int number_of(char letter, const char* meaning) const {
        const auto value = number(part(letter, meaning));
        if (!value) fail(fmt::format("has no number after {}: {}", letter, how));
        return *value;
    }

    Interval interval_of(char letter, const char* meaning, int most) const {
        const std::string& text = part(letter, meaning);
        const auto value = interval(text);
        if (!value) fail(fmt::format("has no interval after {}: {}", letter, how));
        if (value->least > value->most)
            fail(fmt::format("has the empty interval {}{}: write the smaller number first", letter,
                             text));
        if (value->most > most)
            fail(fmt::format("has {}{}, and at most {} cells are counted: choose less", letter,
                             text, most));
        return *value;
    }

    const std::string& part(char letter, const char* meaning) const {
        const auto found = parts_.find(letter);
        if (found == parts_.end())
            fail(fmt::format("does not say {} ({}): {}", meaning, letter, how));
        return found->second;
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw Error(ExitCode::usage, fmt::format("{} {}", what_, why));
    }

    std::string_view what_;
    std::map<char, std::string> parts_;
};

}  // namespace

LargerThanLife::Parameters larger_than_life_rule(std::string_view text, std::string_view what) {
    return Reader(text, what).read();
}

std::string rule_text(const LargerThanLife::Parameters& parameters) {
    return fmt::format("R{},C0,M1,S{}..{},B{}..{},NM", parameters.radius, parameters.survival.least,
                       parameters.survival.most, parameters.birth.least, parameters.birth.most);
}

LargerThanLife::Parameters LargerThanLife::parameters(const ParameterSet& set) {
    const std::string_view text = set.rule().empty() ? bosco_rule : std::string_view(set.rule());
    return larger_than_life_rule(text, text);
}

}  // namespace camber
