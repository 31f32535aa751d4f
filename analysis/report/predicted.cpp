#include "analysis/report/predicted.hpp"

#include <map>
#include <string>
#include <tuple>

namespace camber::report {
namespace {

using results::Document;
using results::ModelEntry;

// Variant, board, cell, rule, boundary and device.
using ModelKey = std::tuple<std::string, std::int64_t, std::int64_t, std::string, std::string,
                            std::string, std::string>;

ModelKey model_key(const ModelEntry& entry, const std::string& device) {
    return {entry.variant, entry.size.columns, entry.size.rows,
            entry.cell,    entry.rule,         std::string(name(entry.boundary)),
            device};
}

PredictedRow predicted_row(const ModelEntry& entry) {
    const results::TimeRecord& time = *entry.time;
    const double ns = 1e9 / entry.generations_per_launch;
    return {time.predicted_seconds * ns, time.low_seconds * ns, time.high_seconds * ns,
            time.binding, !time.doubts.empty()};
}

}  // namespace

void set_predicted(Report& report, const std::vector<Document>& documents) {
    std::map<ModelKey, PredictedRow> times;
    for (const Document& document : documents)
        for (const ModelEntry& entry : document.models)
            if (entry.time) times[model_key(entry, document.gpu())] = predicted_row(entry);
    if (times.empty()) return;
    for (Group& group : report.groups) {
        // A group of models has no backend.
        if ((group.backend != "cuda" && !group.backend.empty()) || group.devices != 1) continue;
        // Its radius is a parameter, and models do not say which parameters they are for.
        if (group.workload == "gaussian") continue;
        for (Row& row : group.rows) {
            if (row.status != results::Status::ok) continue;
            const auto found =
                times.find({group.workload + "/" + row.variant, group.columns, group.rows_of_board,
                            group.cell, group.rule, group.boundary, group.device});
            if (found != times.end()) row.predicted = found->second;
        }
    }
}

}  // namespace camber::report
