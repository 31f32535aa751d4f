#include "harness/own/source/kernel_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "harness/own/source/code_text.hpp"
#include "harness/own/source/settings.hpp"

namespace camber {

namespace {

// Value of template parameters that are integers.
constexpr int template_number = 16;

// Determines whether the body reads or writes the elements of a pointer.
Use use_of(std::string_view body, const std::string& name) {
    bool read = false;
    bool written = false;
    for (std::size_t at = find_word(body, name); at != body.npos;
         at = find_word(body, name, at + 1)) {
        std::size_t end = body.find_first_not_of(" \t\n", at + name.size());
        if (end == body.npos || body[end] != '[') {
            read = written = true;  // passed to another function: may be either
            continue;
        }
        end = behind_brackets(body, end);
        if (end == body.npos) break;
        end = std::min(body.find_first_not_of(" \t\n", end), body.size());
        const std::string_view next = body.substr(end, 2);
        if (next.starts_with('=') && next != "==")
            written = true;
        else if (next.size() == 2 && next[1] == '=' &&
                 std::string_view("+-*/|&^%").find(next[0]) != std::string_view::npos)
            read = written = true;
        else
            read = true;
    }
    return read && written ? Use::both : written ? Use::written : read ? Use::read : Use::none;
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

// Removes qualifiers that do not matter to the caller.
std::string plain_type(std::string type) {
    for (const std::string_view word : {"__restrict__", "__restrict", "restrict"})
        for (std::size_t at = find_word(type, word); at != type.npos; at = find_word(type, word))
            type.erase(at, word.size());
    std::string result;
    for (const char c : type) {
        const bool blank = c == ' ';
        if (blank && (result.empty() || result.back() == ' ')) continue;
        if (c == '*' && !result.empty() && result.back() == ' ') result.pop_back();
        result += c;
    }
    while (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

}  // namespace

Meaning meaning_of(const FunctionParameter& parameter) {
    static const std::set<std::string_view> columns{
        "columns", "column_count", "cols", "ncols", "ncol",   "num_cols", "numcols", "width",
        "w",       "nx",           "dimx", "xdim",  "size_x", "sizex",    "n_cols",  "imagew"};
    static const std::set<std::string_view> rows{
        "rows", "row_count", "nrows", "nrow",   "num_rows", "numrows", "height", "h",
        "ny",   "dimy",      "ydim",  "size_y", "sizey",    "n_rows",  "imageh"};
    static const std::set<std::string_view> depths{"depth", "planes", "slices",  "layers", "levels",
                                                   "nz",    "n_z",    "dimz",    "zdim",   "size_z",
                                                   "sizez", "num_z",  "nlevels", "dim_z"};
    static const std::set<std::string_view> batches{"batch", "batches", "batch_size", "nbatch"};
    static const std::set<std::string_view> pitches{"pitch", "stride", "ld", "lda"};
    static const std::set<std::string_view> counts{
        "n",     "count",       "size",         "len",   "length", "num",
        "total", "numelements", "num_elements", "nelem", "cells",  "elements"};
    const std::string name = lower(parameter.name);
    if (columns.contains(name)) return Meaning::columns;
    if (rows.contains(name)) return Meaning::rows;
    if (depths.contains(name)) return Meaning::depth;
    if (batches.contains(name)) return Meaning::batch;
    if (pitches.contains(name)) return Meaning::pitch;
    if (counts.contains(name)) return Meaning::count;
    const auto has = [&](std::string_view word) { return name.find(word) != name.npos; };
    if (has("width") || has("columns")) return Meaning::columns;
    if (has("height") || has("rows")) return Meaning::rows;
    if (has("count") || has("elements") || has("length")) return Meaning::count;
    return Meaning::other;
}

KernelReading::KernelReading(const CodeFunction& kernel, std::string_view code)
    : kernel_(kernel),
      body_(code.substr(kernel.body, kernel.end - kernel.body)),
      macros_(numeric_macros(code, {})) {}

bool KernelReading::uses_y() const {
    return body_.find("Idx.y") != body_.npos;
}

bool KernelReading::uses_z() const {
    return body_.find("Idx.z") != body_.npos;
}

bool KernelReading::is_strided() const {
    return has_word(body_, "gridDim");
}

std::string KernelReading::instance() const {
    if (kernel_.template_parameters.empty()) return kernel_.name;
    std::vector<std::string> values;
    for (const FunctionParameter& parameter : kernel_.template_parameters) {
        const bool type = parameter.type == "class" || parameter.type == "typename";
        values.push_back(type                       ? "float"
                         : parameter.type == "bool" ? "true"
                                                    : std::to_string(template_number));
    }
    return fmt::format("{}<{}>", kernel_.name, fmt::join(values, ", "));
}

std::string KernelReading::signature() const {
    std::vector<std::string> types;
    for (const FunctionParameter& parameter : kernel_.parameters)
        types.push_back(plain_type(parameter.type));
    return fmt::format("{}({})", instance(), fmt::join(types, ", "));
}

Use KernelReading::use(const FunctionParameter& parameter) const {
    const std::string_view pointee =
        std::string_view(parameter.type).substr(0, parameter.type.find_last_of('*'));
    return has_word(pointee, "const") ? Use::read : use_of(body_, parameter.name);
}

bool KernelReading::is_accumulated(const FunctionParameter& parameter) const {
    bool found = false;
    for (std::size_t at = find_word(body_, parameter.name); at != body_.npos;
         at = find_word(body_, parameter.name, at + 1)) {
        std::string_view before = body_.substr(0, at);
        while (!before.empty() && (before.back() == ' ' || before.back() == '&'))
            before.remove_suffix(1);
        if (!before.ends_with('(')) return false;
        before.remove_suffix(1);
        std::size_t begin = before.size();
        while (begin > 0 && is_word_character(before[begin - 1])) --begin;
        if (!before.substr(begin).starts_with("atomic")) return false;
        found = true;
    }
    return found;
}

std::optional<int> KernelReading::number_in(std::string_view word) const {
    for (const FunctionParameter& parameter : kernel_.template_parameters)
        if (parameter.name == word && parameter.type != "class" && parameter.type != "typename")
            return template_number;
    const std::string text = with_numbers(std::string(word), macros_);
    int number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return number;
}

// Reads `tile[16][16 + 1]`.
std::optional<std::pair<int, int>> KernelReading::tile() const {
    const std::size_t shared = find_word(body_, "__shared__");
    if (shared == body_.npos) return std::nullopt;
    const std::string_view declaration =
        body_.substr(shared, std::min(body_.find(';', shared), body_.size()) - shared);
    std::vector<int> extents;
    for (std::size_t at = declaration.find('['); at != declaration.npos;
         at = declaration.find('[', at + 1)) {
        const std::size_t close = std::min(declaration.find(']', at), declaration.size());
        // Use only the first word of "TILE + 1".
        const std::string_view inner = trimmed_text(declaration.substr(at + 1, close - at - 1));
        const std::string word(inner.substr(0, inner.find_first_of(" +-*")));
        const auto extent = number_in(word);
        if (!extent) return std::nullopt;
        extents.push_back(*extent);
    }
    if (extents.size() != 2 || extents[0] < 1 || extents[1] < 1) return std::nullopt;
    return std::pair(extents[0], extents[1]);
}

int KernelReading::threads() const {
    constexpr int usual = 256;
    return kernel_.launch_bound > 0 ? kernel_.launch_bound : usual;
}

std::string KernelReading::dynamic_shared_type() const {
    const std::size_t at = find_word(body_, "extern");
    if (at == body_.npos) return "";
    const std::string_view declaration =
        body_.substr(at, std::min(body_.find(';', at), body_.size()) - at);
    constexpr std::string_view word = "__shared__";
    const std::size_t shared = find_word(declaration, word);
    if (shared == declaration.npos) return "";
    const std::string_view rest = trimmed_text(declaration.substr(shared + word.size()));
    return std::string(trimmed_text(rest.substr(0, rest.find_last_of(" *", rest.find('[')))));
}

}  // namespace camber
