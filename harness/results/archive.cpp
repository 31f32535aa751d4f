#include "harness/results/archive.hpp"

#include <cmath>
#include <limits>

namespace camber::results {

namespace {

std::string shown(const Json& json) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

[[noreturn]] void complain(const Json& json, const char* expected) {
    throw FormError("", shown(json) + " is not " + expected);
}

template <class Integer>
void read_integer(const Json& json, Integer& value) {
    // Programs write whole numbers as 3.0 too.
    if (json.is_number_float()) {
        const double number = json.get<double>();
        if (number != std::trunc(number) || std::abs(number) > 9.0e15)
            complain(json, "a whole number");
        value = static_cast<Integer>(number);
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
    if (!(std::abs(value) < 0x1p63)) return value;  // too large for an integer, or no number
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
