#include "workloads/lava/emission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "workloads/core/text_file.hpp"

namespace camber::lava {

using grid_file::finite_number;
using grid_file::shown;
using grid_file::Token;
using grid_file::TokenSource;

namespace {

// Integer from `least` to `most`; otherwise rejects the token.
int whole(const TokenSource& source, const Token& token, const char* what, int least, int most) {
    const auto value = finite_number(token.text);
    if (!value || *value != std::floor(*value) || *value < least || *value > most)
        source.reject(token.place, fmt::format("{} must be a whole number from {} to {}, not {}",
                                               what, least, most, shown(token)));
    return static_cast<int>(*value);
}

constexpr int most_id = std::numeric_limits<int>::max();

class RatesReader {
  public:
    RatesReader(std::string_view text, const std::string& name) : source_(text, name) {}

    EmissionRates read() {
        EmissionRates rates;
        expect("[TIME]");
        rates.slot_length = number("the length of a slot", true);
        advance();
        while (token_.text != "[END]" && !token_.text.empty()) {
            expect("[VENT_ID]");
            const int id = whole(source_, token_, "a vent's id", 1, most_id);
            if (std::ranges::any_of(rates.vents, [&](const auto& vent) { return vent.id == id; }))
                source_.reject(token_.place, fmt::format("vent {} is given twice: remove one", id));
            rates.vents.push_back({id, {}});
            advance();
            expect("[EMISSION_RATE]");
            for (; !token_.text.empty() && token_.text.front() != '['; advance())
                rates.vents.back().rates.push_back(number("an emission rate", false));
        }
        if (rates.vents.empty())
            source_.reject(token_.place, "no vent has rates: add [VENT_ID] and [EMISSION_RATE]");
        if (token_.text == "[END]") {
            advance();
            if (!token_.text.empty())
                source_.reject(token_.place,
                               fmt::format("{} stands after [END]: remove it", shown(token_)));
        }
        return rates;
    }

  private:
    void advance() { token_ = source_.next(); }
    void expect(std::string_view key) {
        if (token_.text != key)
            source_.reject(token_.place,
                           fmt::format("{} stands where {} belongs", shown(token_), key));
        advance();
    }
    double number(const char* what, bool positive) const {
        const auto value = finite_number(token_.text);
        if (!value || *value < 0 || (positive && *value == 0))
            source_.reject(token_.place,
                           fmt::format("{} must be a {} number, not {}", what,
                                       positive ? "positive" : "non-negative", shown(token_)));
        return *value;
    }

    TokenSource source_;
    Token token_ = source_.next();
};

}  // namespace

std::size_t EmissionRates::slots() const {
    std::size_t most = 0;
    for (const Vent& vent : vents) most = std::max(most, vent.rates.size());
    return most;
}

std::size_t EmissionRates::index_of(int id) const {
    const auto found = std::ranges::find(vents, id, &Vent::id);
    if (found == vents.end()) throw std::logic_error(fmt::format("vent {} has no rates", id));
    return static_cast<std::size_t>(found - vents.begin());
}

double EmissionRates::at(std::size_t vent, double time) const {
    const double slot = std::floor(time / slot_length);
    const std::vector<double>& rates = vents.at(vent).rates;
    return slot < static_cast<double>(rates.size()) ? rates[static_cast<std::size_t>(slot)] : 0;
}

EmissionRates read_emission_rates(std::string_view text, const std::string& name) {
    return RatesReader(text, name).read();
}

void write_emission_rates(std::ostream& out, const EmissionRates& rates) {
    out << fmt::format("[TIME]\n{}\n", rates.slot_length);
    for (const EmissionRates::Vent& vent : rates.vents) {
        out << fmt::format("\n[VENT_ID]\n{}\n\n[EMISSION_RATE]\n", vent.id);
        for (const double rate : vent.rates) out << fmt::format("{}\n", rate);
    }
    out << "\n[END]\n";
}

void check_vents(const std::vector<VentCell>& vents, const EmissionRates& rates) {
    constexpr std::size_t most = std::numeric_limits<std::uint8_t>::max();
    if (rates.vents.size() > most)
        throw Error(ExitCode::usage, fmt::format("{} vents have emission rates: {} at most may",
                                                 rates.vents.size(), most));
    for (const VentCell& vent : vents)
        if (std::ranges::find(rates.vents, vent.id, &EmissionRates::Vent::id) == rates.vents.end())
            throw Error(ExitCode::usage,
                        fmt::format("vent {} in row {}, column {} has no emission rates: add them "
                                    "or remove the vent",
                                    vent.id, vent.row, vent.column));
    for (const EmissionRates::Vent& vent : rates.vents)
        if (std::ranges::find(vents, vent.id, &VentCell::id) == vents.end())
            throw Error(ExitCode::usage, fmt::format("the emission rates are for vent {}, which "
                                                     "lies nowhere: add it to the vents",
                                                     vent.id));
}

std::vector<VentCell> vents_in(const std::vector<double>& raster, Size size, double no_data,
                               const std::string& name) {
    std::vector<VentCell> vents;
    for (std::size_t i = 0; i < raster.size(); ++i) {
        const double id = raster[i];
        if (id == 0 || id == no_data) continue;
        const int row = static_cast<int>(i / size.columns);
        const int column = static_cast<int>(i % size.columns);
        if (!(id >= 1 && id <= most_id && id == std::floor(id)))
            throw Error(ExitCode::usage, fmt::format("the vents {} have {} in row {}, column {}: "
                                                     "write 0 or a vent's id from 1 on",
                                                     name, id, row, column));
        vents.push_back({static_cast<int>(id), row, column});
    }
    return vents;
}

std::vector<VentCell> read_vent_list(std::string_view text, const std::string& name, Size size) {
    TokenSource source(text, name);
    std::vector<VentCell> vents;
    for (Token id = source.next(); !id.text.empty(); id = source.next()) {
        VentCell vent;
        vent.id = whole(source, id, "a vent's id", 1, most_id);
        const Token row = source.next();
        vent.row = whole(source, row, "a vent's row", 0, size.rows - 1);
        vent.column = whole(source, source.next(), "a vent's column", 0, size.columns - 1);
        if (std::ranges::any_of(vents, [&](const VentCell& other) {
                return other.row == vent.row && other.column == vent.column;
            }))
            source.reject(row.place, fmt::format("two vents lie in row {}, column {}: remove one",
                                                 vent.row, vent.column));
        vents.push_back(vent);
    }
    return vents;
}

}  // namespace camber::lava
