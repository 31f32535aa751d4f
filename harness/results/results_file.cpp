#include "harness/results/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/atomic_file.hpp"

namespace camber {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void require_finite(const Json& value, const Json::json_pointer& pointer) {
    if (value.is_number_float() && !std::isfinite(value.get<double>())) {
        throw std::logic_error(
            fmt::format("the value at {} of the results is {}, which JSON cannot express",
                        pointer.to_string(), value.get<double>()));
    }
    if (value.is_structured()) {
        for (const auto& [key, child] : value.items()) require_finite(child, pointer / key);
    }
}

// As dump(2), but an array of plain values takes one line: a thousand samples are no reading
// matter.
void append_pretty(std::string& text, const Json& value, std::size_t indent) {
    const auto is_structured = [](const Json& child) { return child.is_structured(); };
    if (value.empty() || !value.is_structured() ||
        (value.is_array() && std::none_of(value.begin(), value.end(), is_structured))) {
        // Strings from outside (paths, host names) need not be UTF-8, which JSON must be.
        text += value.dump(-1, ' ', false, Json::error_handler_t::replace);
        return;
    }
    text += value.is_array() ? '[' : '{';
    bool first = true;
    for (const auto& [key, child] : value.items()) {
        text += std::exchange(first, false) ? "\n" : ",\n";
        text.append(indent + 2, ' ');
        if (value.is_object()) {
            text += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace);
            text += ": ";
        }
        append_pretty(text, child, indent + 2);
    }
    text += '\n';
    text.append(indent, ' ');
    text += value.is_array() ? ']' : '}';
}

}  // namespace

ResultsFile::ResultsFile(fs::path path, Json context) : file_(std::move(path), "results file") {
    require_finite(context, Json::json_pointer("/context"));
    document_ = {{"context", std::move(context)}, {"benchmarks", Json::array()}};
}

void ResultsFile::add(Json benchmark) {
    amend([&](Json& document) { document["benchmarks"].push_back(std::move(benchmark)); });
}

void ResultsFile::amend(const std::function<void(Json& document)>& edit) {
    Json edited = document_;
    edit(edited);
    require_finite(edited, Json::json_pointer());
    std::string text;
    append_pretty(text, edited, 0);
    text += '\n';
    file_.replace(text);
    document_ = std::move(edited);
}

}  // namespace camber
