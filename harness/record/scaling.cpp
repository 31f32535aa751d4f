#include "harness/record/scaling.hpp"

#include <array>

#include "harness/record/fields.hpp"

namespace camber::scaling {

std::string_view key(Unit unit) {
    constexpr std::array<std::string_view, 4> keys{"sm", "thread", "gpu", "rank"};
    return keys[static_cast<std::size_t>(unit)];
}

std::string_view key(Mode mode) {
    return mode == Mode::strong ? "strong" : "weak";
}

std::string_view key(Verdict verdict) {
    constexpr std::array<std::string_view, 6> keys{"no_trend",    "per_unit_cost", "imbalance",
                                                   "serial_part", "unresolved",    "weak"};
    return keys[static_cast<std::size_t>(verdict)];
}

}  // namespace camber::scaling

namespace camber::results {

// JSON keys of a scaling analysis (results/schema/camber-results.schema.json, definition
// "scaling"). Values that do not exist (e at p = 1, a fit with too few points) are null or omitted.
using scaling::Analysis;
using scaling::Fits;
using scaling::GustafsonFit;
using scaling::LinearFit;
using scaling::Mode;
using scaling::Point;
using scaling::PointAnalysis;
using scaling::Series;
using scaling::ThreeTermFit;

// A point's measurement and derived figures are stored in one object.
template <class A>
void point_fields(A& a, Of<A, Point>& source, Of<A, PointAnalysis>& point, Mode mode) {
    a("p", point.p);
    a("units", point.units);
    a("n", point.n);
    a("median_ns", point.median_ns);
    a.null("sigma_ns", point.sigma_ns);
    a.some("samples_ns", source.samples_ns);
    if (mode == Mode::weak) {
        a.null("weak_efficiency", point.weak_efficiency);
        a.null("weak_efficiency_sigma", point.weak_efficiency_sigma);
        a.null("scaled_speedup", point.scaled_speedup);
        a.any_sign().null("serial_share", point.serial_share);
    } else {
        a.null("speedup", point.speedup);
        a.null("speedup_sigma", point.speedup_sigma);
        a.null("efficiency", point.efficiency);
        a.any_sign().null("karp_flatt", point.karp_flatt);
        a.null("karp_flatt_sigma", point.karp_flatt_sigma);
        if constexpr (A::writes) a("superlinear", point.superlinear());
        a.any_sign().null("cost_ns", point.cost_ns);
        a.any_sign().null("marginal_cost", point.marginal_cost);
        a.any_sign().null("gain", point.gain);
        a.any_sign().null("amdahl_speedup", point.amdahl_speedup);
        a.any_sign().may("predicted_speedup", point.predicted_speedup);
        if (point.predicted_speedup) a("exceeds_prediction", point.exceeds_prediction);
    }
    a.may("share_of_copy", point.share_of_copy);
    a.may("exposed_transfer_ns", point.places.exposed_transfer_ns);
    a.may("barrier_wait_ns", point.places.barrier_wait_ns);
    a.may("imbalance", point.places.imbalance);
    if constexpr (A::writes) {
        if (source.effective_p) a("p_is_effective", true);
    } else {
        source.units = point.units;
        source.median_ns = point.median_ns;
        source.sigma_ns = point.sigma_ns;
        source.share_of_copy = point.share_of_copy;
        source.places = point.places;
        if (a.find("p_is_effective")) source.effective_p = point.p;
    }
}

template <class A>
void quality_fields(A& a, Of<A, LinearFit>& fit) {
    a("standard_errors", fit.standard_errors);
    a.any_sign()("residuals", fit.residuals);
    a("max_abs_residual", fit.max_abs_residual);
}

// Fields of a fit, with these coefficient names.
template <class A>
void linear_fields(A& a, Of<A, LinearFit>& fit, std::initializer_list<const char*> names) {
    if constexpr (!A::writes) fit.coefficients.resize(names.size());
    std::size_t i = 0;
    for (const char* name : names) a.any_sign()(name, fit.coefficients[i++]);
    quality_fields(a, fit);
}

template <class A>
void fields(A& a, Of<A, ThreeTermFit>& fit) {
    a.any_sign()("a", fit.a);
    a.any_sign()("b", fit.b);
    a.any_sign()("c", fit.c);
    std::vector errors{fit.standard_error_a, fit.standard_error_b, fit.standard_error_c};
    a("standard_errors", errors);
    if constexpr (!A::writes) {
        errors.resize(3);
        fit.standard_error_a = errors[0];
        fit.standard_error_b = errors[1];
        fit.standard_error_c = errors[2];
    }
    a.any_sign()("residuals", fit.residuals);
    a("max_abs_residual", fit.max_abs_residual);
    a.null("fastest_p", fit.fastest_p);
    a("fastest_p_extrapolated", fit.fastest_p_extrapolated);
    a.null("d_max", fit.d_max);
    a("d_max_extrapolated", fit.d_max_extrapolated);
}

using CoefficientNames = std::initializer_list<const char*>;

void line(Writer& a, const char* key, const std::optional<LinearFit>& fit, CoefficientNames names,
          const std::string* weights = nullptr) {
    if (!fit) return;
    Json json = Json::object();
    Writer writer(json);
    linear_fields(writer, *fit, names);
    if (weights) writer("weights", *weights);
    a.json()[key] = std::move(json);
}
void line(Reader& a, const char* key, std::optional<LinearFit>& fit, CoefficientNames names,
          std::string* weights = nullptr) {
    const Json* found = a.find(key);
    if (!found) return;
    try {
        Reader reader(*found);
        linear_fields(reader, fit.emplace(), names);
        if (weights) reader("weights", *weights);
    } catch (const FormError& error) {
        throw error.within(std::string("/") + key);
    }
}

template <class A>
void fields(A& a, Of<A, Fits>& fits) {
    line(a, "amdahl", fits.amdahl, {"a", "b"});
    a.may("three_term", fits.three_term);
    line(a, "linear_overhead", fits.linear_overhead, {"c"});
    line(a, "karp_flatt_line", fits.karp_flatt_line, {"a", "c"});
    std::string weights = fits.weighted_by_sigma ? "sigma" : "equal_relative_error";
    line(a, "weighted_karp_flatt_line", fits.weighted_karp_flatt_line, {"a", "c"}, &weights);
    if constexpr (!A::writes) fits.weighted_by_sigma = weights == "sigma";
}

template <class A>
void fields(A& a, Of<A, GustafsonFit>& fit) {
    a.any_sign()("serial_share", fit.serial_share);
    a.null("standard_error", fit.standard_error);
    a("max_abs_residual", fit.max_abs_residual);
}

template <class A>
void fields(A& a, Of<A, Series>& series) {
    a("workload", series.workload);
    a("variant", series.variant);
    a("backend", series.backend);
    a("machine", series.machine);
    a("unit", series.unit);
    a("unit_size", series.unit_size);
    a("mode", series.mode);
    Size size{static_cast<int>(series.columns), static_cast<int>(series.rows)};
    a("size", size);
    if constexpr (!A::writes) {
        series.columns = size.columns;
        series.rows = size.rows;
    }
    a.may("assumed_relative_error", series.assumed_relative_error);
    a.any_sign().may("predicted_serial_share", series.predicted_serial_share);
}

void points(Writer& a, const Analysis& analysis) {
    Json list = Json::array();
    for (std::size_t i = 0; i < analysis.points.size(); ++i) {
        Writer writer(list.emplace_back(Json::object()));
        point_fields(writer, analysis.series.points[i], analysis.points[i], analysis.series.mode);
    }
    a.json()["points"] = std::move(list);
}
void points(Reader& a, Analysis& analysis) {
    const Json* list = a.find("points");
    if (!list || !list->is_array()) throw FormError("", "there is no list 'points'");
    for (std::size_t k = 0; k < list->size(); ++k) try {
            Reader reader((*list)[k]);
            point_fields(reader, analysis.series.points.emplace_back(),
                         analysis.points.emplace_back(), analysis.series.mode);
        } catch (const FormError& error) {
            throw error.within("/points/" + std::to_string(k));
        }
}

template <class A>
void fields(A& a, Of<A, Analysis>& analysis) {
    auto& series = analysis.series;
    fields(a, series);
    points(a, analysis);
    if (series.mode == Mode::strong) {
        a("fits", analysis.fits);
        a.null("observed_d_max", analysis.observed_d_max);
        a("bandwidth_saturated", analysis.bandwidth_saturated);
    } else {
        a.may("gustafson", analysis.gustafson);
    }
    a("verdict", analysis.verdict);
    a("reading", analysis.reading);
    a.some("notes", series.notes);
}

Json to_json(const Analysis& analysis) {
    return written(analysis);
}
void from_json(const Json& json, Analysis& analysis) {
    read(json, analysis);
}

}  // namespace camber::results
