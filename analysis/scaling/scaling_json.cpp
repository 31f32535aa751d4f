#include "analysis/scaling/scaling_json.hpp"

namespace camber::scaling {

namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json point_json(const PointAnalysis& point, const Point& source, Mode mode) {
    Json json{{"p", point.p},
              {"units", point.units},
              {"n", point.n},
              {"median_ns", point.median_ns},
              {"sigma_ns", or_null(point.sigma_ns)}};
    if (!source.samples_ns.empty()) json["samples_ns"] = source.samples_ns;
    if (mode == Mode::weak) {
        json["weak_efficiency"] = or_null(point.weak_efficiency);
        json["weak_efficiency_sigma"] = or_null(point.weak_efficiency_sigma);
        json["scaled_speedup"] = or_null(point.scaled_speedup);
        json["serial_share"] = or_null(point.serial_share);
    } else {
        json["speedup"] = or_null(point.speedup);
        json["speedup_sigma"] = or_null(point.speedup_sigma);
        json["efficiency"] = or_null(point.efficiency);
        json["karp_flatt"] = or_null(point.karp_flatt);
        json["karp_flatt_sigma"] = or_null(point.karp_flatt_sigma);
        json["superlinear"] = point.superlinear();
        json["cost_ns"] = or_null(point.cost_ns);
        json["marginal_cost"] = or_null(point.marginal_cost);
        json["gain"] = or_null(point.gain);
        json["amdahl_speedup"] = or_null(point.amdahl_speedup);
        if (point.predicted_speedup) {
            json["predicted_speedup"] = *point.predicted_speedup;
            json["exceeds_prediction"] = point.exceeds_prediction;
        }
    }
    if (point.share_of_copy) json["share_of_copy"] = *point.share_of_copy;
    return json;
}

Json coefficients_json(const LinearFit& fit, std::initializer_list<const char*> names) {
    Json json = Json::object();
    std::size_t i = 0;
    for (const char* name : names) json[name] = fit.coefficients[i++];
    json["standard_errors"] = fit.standard_errors;
    json["residuals"] = fit.residuals;
    json["max_abs_residual"] = fit.max_abs_residual;
    return json;
}

Json three_term_json(const ThreeTermFit& fit) {
    return {{"a", fit.a},
            {"b", fit.b},
            {"c", fit.c},
            {"standard_errors", {fit.standard_error_a, fit.standard_error_b, fit.standard_error_c}},
            {"residuals", fit.residuals},
            {"max_abs_residual", fit.max_abs_residual},
            {"fastest_p", or_null(fit.fastest_p)},
            {"fastest_p_extrapolated", fit.fastest_p_extrapolated},
            {"d_max", or_null(fit.d_max)},
            {"d_max_extrapolated", fit.d_max_extrapolated}};
}

Json fits_json(const Fits& fits) {
    Json json = Json::object();
    if (fits.amdahl) json["amdahl"] = coefficients_json(*fits.amdahl, {"a", "b"});
    if (fits.three_term) json["three_term"] = three_term_json(*fits.three_term);
    if (fits.linear_overhead)
        json["linear_overhead"] = coefficients_json(*fits.linear_overhead, {"c"});
    if (fits.karp_flatt_line)
        json["karp_flatt_line"] = coefficients_json(*fits.karp_flatt_line, {"a", "c"});
    if (fits.weighted_karp_flatt_line) {
        Json line = coefficients_json(*fits.weighted_karp_flatt_line, {"a", "c"});
        line["weights"] = fits.weighted_by_sigma ? "sigma" : "equal_relative_error";
        json["weighted_karp_flatt_line"] = line;
    }
    return json;
}

}  // namespace

Json scaling_json(const Analysis& analysis) {
    const Series& series = analysis.series;
    Json json{{"workload", series.workload},
              {"variant", series.variant},
              {"backend", series.backend},
              {"machine", series.machine},
              {"unit", key(series.unit)},
              {"unit_size", series.unit_size},
              {"mode", key(series.mode)},
              {"size", {{"columns", series.columns}, {"rows", series.rows}}}};
    if (series.assumed_relative_error)
        json["assumed_relative_error"] = *series.assumed_relative_error;
    if (series.predicted_serial_share)
        json["predicted_serial_share"] = *series.predicted_serial_share;
    json["points"] = Json::array();
    for (std::size_t i = 0; i < analysis.points.size(); ++i) {
        Json point = point_json(analysis.points[i], series.points[i], series.mode);
        if (series.points[i].effective_p) point["p_is_effective"] = true;
        json["points"].push_back(std::move(point));
    }
    if (series.mode == Mode::strong) {
        json["fits"] = fits_json(analysis.fits);
        json["observed_d_max"] = or_null(analysis.observed_d_max);
        json["bandwidth_saturated"] = analysis.bandwidth_saturated;
    } else {
        json["gustafson"] = {{"serial_share", analysis.gustafson->serial_share},
                             {"standard_error", or_null(analysis.gustafson->standard_error)},
                             {"max_abs_residual", analysis.gustafson->max_abs_residual}};
    }
    json["verdict"] = key(analysis.verdict);
    json["reading"] = analysis.reading;
    if (!series.notes.empty()) json["notes"] = series.notes;
    return json;
}

}  // namespace camber::scaling
