#include "analysis/time/forms_for_edge.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/time/access_amounts.hpp"

namespace camber {
namespace {

// Bytes that a lane accesses per iteration, for accesses of `kind`.
double bytes_of(const Amounts& text, std::string_view kind) {
    double bytes = 0;
    for (const auto& [name, count] : text)
        if (is_of(name, kind) && name.size() > kind.size())
            bytes += count * std::stod(name.substr(kind.size() + 1));
    return bytes;
}

double bytes_read(const results::CodeRegion& loop) {
    const Amounts text = text_of(loop);
    return bytes_of(text, "global_loads") + bytes_of(text, "shared_loads");
}

double total_in(const results::CodeRegion& loop) {
    return amount_of(text_of(loop), "total");
}

}  // namespace

FormsForEdge::FormsForEdge(const std::vector<results::CodeRegion>& regions,
                           std::vector<double> rounds)
    : rounds_(std::move(rounds)), forms_(regions.size()) {
    for (std::size_t usual = 1; usual < regions.size(); ++usual) {
        const double read = bytes_read(regions[usual]);
        if (read == 0) continue;
        for (std::size_t form = 1; form < regions.size(); ++form)
            if (regions[form].within == regions[usual].within &&
                bytes_read(regions[form]) == read &&
                total_in(regions[form]) > total_in(regions[usual]) &&
                rounds_[form] < rounds_[usual] / 2)
                forms_[usual] = form;
    }
}

std::optional<std::size_t> FormsForEdge::usual_of(std::size_t form) const {
    const auto found = std::ranges::find(forms_, std::optional(form));
    if (found == forms_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - forms_.begin());
}

double FormsForEdge::rounds(std::size_t region) const {
    return forms_[region] ? 0 : rounds_[usual_of(region).value_or(region)];
}

}  // namespace camber
