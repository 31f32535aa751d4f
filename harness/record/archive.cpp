#include "harness/record/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "harness/base/text/text.hpp"

namespace camber::results {

namespace {

[[noreturn]] void complain(const Json& json, const char* expected) {
    throw FormError("", shown(json) + " is not " + expected);
}

template <class Integer>
void read_integer(const Json& json, Integer& value) {
    // Accepts integers written as 3.0, as some programs do.
    if (json.is_number_float()) {
        const double number = json.get<double>();
        if (number != std::trunc(number) || std::abs(number) > 9.0e15)
            complain(json, "a whole number");
        const auto whole = static_cast<std::int64_t>(number);
        if (!std::in_range<Integer>(whole)) complain(json, "a number of the expected size");
        value = static_cast<Integer>(whole);
        return;
    }
    if (!json.is_number_integer()) complain(json, "a whole number");
    const bool fits = json.is_number_unsigned()
                          ? json.get<std::uint64_t>() <=
                                static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())
                          : json.get<std::int64_t>() >=
                                static_cast<std::int64_t>(std::numeric_limits<Integer>::min());
    if (!fits) complain(json, "a number of the expected size");
    value = json.get<Integer>();
}

}  // namespace

namespace {

// Refuses longer strings, because parsing takes a tenth of a microsecond per byte.
void require_short_strings(std::string_view text) {
    constexpr std::size_t longest = std::size_t{1} << 20;
    for (std::size_t start = text.find('"'); start < text.size(); start = text.find('"', start)) {
        std::size_t end = start + 1;
        while ((end = text.find_first_of("\"\\", end)) < text.size() && text[end] == '\\') end += 2;
        end = std::min(end, text.size());
        if (end - start > longest)
            throw SyntaxError(
                fmt::format("has a string of {} bytes at byte {}: no string of camber's "
                            "is longer than {}; repair the file or measure again",
                            end - start - 1, start + 1, longest));
        start = end + 1;
    }
}

}  // namespace

std::string shown(const Json& json) {
    constexpr std::size_t longest = 40;
    if (json.is_array()) return fmt::format("a list of {}", json.size());
    if (json.is_object()) return "an object";
    if (const auto* text = json.get_ptr<const std::string*>()) {
        const std::string cut = escaped(std::string_view(*text).substr(0, longest));
        return fmt::format("\"{}{}\"", cut, text->size() > longest ? "..." : "");
    }
    return json.dump();
}

Json parse_json(std::string_view text) {
    if (const auto at = text.find('\0'); at != std::string_view::npos)
        throw SyntaxError(
            fmt::format("is not a JSON document: byte {} is a NUL, which JSON does not "
                        "allow; copy or write the file again",
                        at + 1));
    require_short_strings(text);
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw SyntaxError(
            fmt::format("is not a JSON document (byte {}): a run that was cut off "
                        "leaves a whole file, so it may have been truncated by a copy",
                        error.byte));
    } catch (const Json::out_of_range& error) {
        // Example: "... number overflow parsing '1e999'"
        const std::string_view words = error.what();
        const auto first = words.find('\'');
        const auto last = words.rfind('\'');
        const std::string_view number =
            first < last ? words.substr(first + 1, last - first - 1) : std::string_view();
        const auto line = 1 + std::ranges::count(text.substr(0, text.find(number)), '\n');
        throw SyntaxError(
            fmt::format("has the number {} in line {}, which is out of range: numbers lie within "
                        "1.8e308; repair the file or measure again",
                        printable(number, 60), line));
    }
}

void require_no_negative(const Json& json) {
    if (json.is_number() && json.get<double>() < 0) complain(json, "a number of 0 or more");
    if (json.is_array())
        for (std::size_t k = 0; k < json.size(); ++k) try {
                require_no_negative(json[k]);
            } catch (const FormError& error) {
                throw error.within(fmt::format("/{}", k));
            }
    if (json.is_object())
        for (const auto& [key, value] : json.items()) try {
                require_no_negative(value);
            } catch (const FormError& error) {
                throw error.within("/" + key);
            }
}

Json written(const Scalar& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json written(const CellValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json written(const Size& size) {
    return {{"columns", size.columns}, {"rows", size.rows}};
}

Json whole_if_possible(double value) {
    if (!(std::abs(value) < 0x1p63)) return value;  // too large for an integer, or NaN
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

std::string number_text(double value) {
    return Json(value).dump();
}

void read(const Json& json, bool& value) {
    if (!json.is_boolean()) complain(json, "true or false");
    value = json.get<bool>();
}
void read(const Json& json, int& value) {
    read_integer(json, value);
}
void read(const Json& json, std::int64_t& value) {
    read_integer(json, value);
}
void read(const Json& json, std::uint64_t& value) {
    if (json.is_number_unsigned()) {
        value = json.get<std::uint64_t>();
        return;
    }
    read_integer(json, value);
}
void read(const Json& json, double& value) {
    if (!json.is_number()) complain(json, "a number");
    value = json.get<double>();
}
void read(const Json& json, std::string& value) {
    if (!json.is_string()) complain(json, "a text");
    value = json.get<std::string>();
}

void read(const Json& json, Scalar& value) {
    if (json.is_boolean())
        value = json.get<bool>();
    else if (json.is_number_integer())
        value = json.get<std::int64_t>();
    else if (json.is_number())
        value = json.get<double>();
    else if (json.is_string())
        value = json.get<std::string>();
    else
        complain(json, "a number, a text, true or false");
}

void read(const Json& json, CellValue& value) {
    if (json.is_number_integer())
        value = json.get<std::int64_t>();
    else if (json.is_number())
        value = json.get<double>();
    else
        read(json, value.emplace<std::string>());
}

void read(const Json& json, Size& value) {
    Reader reader(json);
    reader("columns", value.columns);
    reader("rows", value.rows);
}

void require_array(const Json& json) {
    if (!json.is_array()) complain(json, "a list");
}

void require_object(const Json& json) {
    if (!json.is_object()) complain(json, "an object");
}

Reader::Reader(const Json& json) : json_(json) {
    require_object(json);
}

const Json* Reader::find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
}

const Json* Reader::require(const char* key) const {
    const Json* found = find(key);
    if (!found) throw FormError("", std::string("there is no field '") + key + "'");
    return found;
}

}  // namespace camber::results
