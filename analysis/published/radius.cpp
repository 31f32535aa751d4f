#include "analysis/published/radius.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/profile/diagnosis.hpp"
#include "analysis/published/measured.hpp"
#include "harness/base/error.hpp"
#include "workloads/image/gaussian/rule.hpp"
#include "workloads/life/larger_than_life/rule.hpp"

namespace camber {

int radius_of(const results::Identity& of) {
    const auto parameter = [&](const char* name) {
        const auto found = of.workload_parameters.find(name);
        return found == of.workload_parameters.end() || found->second.empty()
                   ? 0.0
                   : found->second.front();
    };
    const std::string_view rule = of.rule.empty() ? bosco_rule : std::string_view(of.rule);
    try {
        if (of.workload == "larger_than_life") return larger_than_life_rule(rule, rule).radius;
        if (of.workload == "gaussian")
            return GaussianWeights::of(parameter("sigma"), parameter("radius")).radius;
    } catch (const Error&) {
    }
    return 0;
}

}  // namespace camber

namespace camber::published {

namespace {

using results::CaseRecord;
using results::Document;
using Names = std::vector<std::string_view>;

bool measured(const CaseRecord& record) {
    return record.identity.backend == Backend::cuda && record.identity.is_usual() &&
           record.status == results::Status::ok && record.timed() && record.derived;
}

double generation_ns(const CaseRecord& record) {
    return record.samples->statistics.median / record.samples->generations_per_sample;
}

bool among(const Names& names, const std::string& technique) {
    return std::ranges::find(names, technique) != names.end();
}

bool is_of(const RadiusStatement& stated, bool faster, const std::string& technique) {
    if (faster || stated.than.empty()) return among(stated.faster, technique) == faster;
    return among(stated.than, technique);
}

const CaseRecord* fastest_of(const std::map<std::string, const CaseRecord*>& techniques,
                             const RadiusStatement& stated, bool faster) {
    const CaseRecord* found = nullptr;
    for (const auto& [technique, record] : techniques)
        if (is_of(stated, faster, technique) &&
            (!found || generation_ns(*record) < generation_ns(*found)))
            found = record;
    return found;
}

// Case with counters: the variant itself, else the fastest counted variant of its side.
const CaseRecord* counted(const Document& document, const RadiusSeries& series, int radius,
                          const CaseRecord& timed, const RadiusStatement& stated, bool faster,
                          const Size* size) {
    const CaseRecord* found = nullptr;
    for (const CaseRecord& record : document.cases) {
        const results::Identity& of = record.identity;
        if (!measured(record) || record.counters.empty() || of.workload != series.workload ||
            of.cell != series.cell || radius_of(of) != radius ||
            !is_of(stated, faster, of.technique) || (size != nullptr && of.size != *size))
            continue;
        if (of.variant == timed.identity.variant) return &record;
        if (!found || generation_ns(record) < generation_ns(*found)) found = &record;
    }
    return found;
}

std::string reason_at(int radius, const Judged& judged, const CaseRecord& faster,
                      const CaseRecord& than, const RadiusStatement& stated,
                      const RadiusSeries& series, const std::vector<Document>& documents) {
    for (const Document& document : documents) {
        if (document.run() == nullptr || !document.run()->gpu) continue;
        const CaseRecord* const first =
            counted(document, series, radius, faster, stated, true, nullptr);
        const CaseRecord* const second =
            first ? counted(document, series, radius, than, stated, false, &first->identity.size)
                  : nullptr;
        if (second == nullptr) continue;
        const auto of_first = profile::facts_of(*document.run(), *first);
        const auto of_second = profile::facts_of(*document.run(), *second);
        const std::string reason = *judged.ratio < 1 ? profile::reason(of_first, of_second)
                                                     : profile::reason(of_second, of_first);
        if (reason == "no counters") continue;
        return fmt::format("{} (counted on {}x{})", reason, first->identity.size.columns,
                           first->identity.size.rows);
    }
    return "";
}

}  // namespace

std::set<std::string> RadiusSeries::techniques() const {
    std::set<std::string> all;
    for (const auto& [radius, of_radius] : fastest)
        for (const auto& [technique, record] : of_radius) all.insert(technique);
    return all;
}

std::vector<RadiusSeries> over_radius(const std::vector<Document>& documents) {
    std::map<std::tuple<std::string, std::string, int, int>, RadiusSeries> boards;
    for (const Document& document : documents)
        for (const CaseRecord& record : document.cases) {
            const results::Identity& of = record.identity;
            const int radius = radius_of(of);
            if (radius == 0 || !measured(record)) continue;
            RadiusSeries& series = boards[{of.workload, of.cell, of.size.columns, of.size.rows}];
            series.workload = of.workload;
            series.cell = of.cell;
            series.size = of.size;
            const CaseRecord*& fastest = series.fastest[radius][of.technique];
            if (!fastest || generation_ns(record) < generation_ns(*fastest)) fastest = &record;
        }
    std::vector<RadiusSeries> all;
    for (auto& [key, series] : boards) {
        constexpr std::size_t fewest = 3;
        if (series.fastest.size() < fewest) continue;
        if (all.empty() || all.back().workload != series.workload ||
            all.back().cell != series.cell) {
            all.push_back(std::move(series));
            continue;
        }
        const auto worth = [](const RadiusSeries& one) {
            return std::pair(one.fastest.size(), one.size.cells());
        };
        if (worth(series) > worth(all.back())) all.back() = std::move(series);
    }
    return all;
}

std::vector<RadiusStatement> radius_statements(const std::string& workload,
                                               const std::string& cell) {
    const Names caches{"global", "halo", "read_only", "texture_1d", "texture_2d"};
    if (workload == "larger_than_life" && cell == "bits")
        return {{"Counts of columns in registers are faster than whole squares from the caches",
                 {"bit_columns"},
                 caches}};
    if (workload == "larger_than_life")
        return {{"Whole squares from shared memory are faster than from the caches",
                 {"box_tile"},
                 caches},
                {"Sums of sums through shared memory are faster than whole squares from the caches",
                 {"separable_tile"},
                 caches},
                {"Sums of sums in registers are faster than through shared memory",
                 {"column_sums"},
                 {"separable_tile"}},
                {"Tensor cores are faster than all else", {"tensor_cores"}, {}}};
    if (workload == "gaussian")
        return {{"Whole squares from shared memory are faster than from the caches",
                 {"box_tile"},
                 caches},
                {"Whole squares by rows in registers are faster than from shared memory",
                 {"wide_rows"},
                 {"box_tile"}},
                {"Both passes in one kernel, through shared memory, are faster than in two",
                 {"separable_stage"},
                 {"separable_passes", "separable_wide"}},
                {"Both passes in registers are faster than all else", {"weighted_stream"}, {}}};
    return {};
}

std::vector<RadiusAnswer> answers(const RadiusStatement& stated, const RadiusSeries& series,
                                  const std::vector<Document>& documents) {
    std::vector<RadiusAnswer> all;
    for (const auto& [radius, techniques] : series.fastest) {
        const CaseRecord* const faster = fastest_of(techniques, stated, true);
        const CaseRecord* const than = fastest_of(techniques, stated, false);
        if (!faster || !than) continue;
        const ProcessSamples first = samples_of(*faster);
        const ProcessSamples second = samples_of(*than);
        RadiusAnswer answer{radius, judge(&first, &second), ""};
        if (answer.measured.ratio)
            answer.reason =
                reason_at(radius, answer.measured, *faster, *than, stated, series, documents);
        all.push_back(std::move(answer));
    }
    return all;
}

std::string outcomes_text(const std::vector<RadiusAnswer>& answers) {
    std::vector<std::string> clauses;
    for (const Outcome outcome : {Outcome::holds, Outcome::no_difference, Outcome::reversed}) {
        std::vector<std::string> stretches;
        for (std::size_t i = 0; i < answers.size();) {
            std::size_t end = i;
            while (end < answers.size() && answers[end].measured.outcome == outcome) ++end;
            if (end - i == 1) stretches.push_back(fmt::format("{}", answers[i].radius));
            if (end - i > 1)
                stretches.push_back(
                    fmt::format("{} to {}", answers[i].radius, answers[end - 1].radius));
            i = end + 1;
        }
        if (!stretches.empty())
            clauses.push_back(
                fmt::format("{} at radius {}", name(outcome), fmt::join(stretches, " and ")));
    }
    return clauses.empty() ? "-" : fmt::format("{}", fmt::join(clauses, ", "));
}

}  // namespace camber::published
