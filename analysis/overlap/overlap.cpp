#include "analysis/overlap/overlap.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace camber::overlap {

namespace {

using results::CaseRecord;

// A parameter of the variant; nullptr where it has none of this name and type.
template <class T>
const T* parameter(const CaseRecord& record, std::string_view name) {
    for (const auto& [own, value] : record.identity.parameters)
        if (own == name) return std::get_if<T>(&value);
    return nullptr;
}

bool same_problem(const CaseRecord& a, const CaseRecord& b) {
    const results::Identity& one = a.identity;
    const results::Identity& other = b.identity;
    return one.workload == other.workload && one.size == other.size && one.cell == other.cell &&
           one.rule == other.rule && one.workload_parameters == other.workload_parameters &&
           one.backend == other.backend && one.device == other.device &&
           one.conditions().cache == other.conditions().cache &&
           one.conditions().submission == other.conditions().submission &&
           one.from_start == other.from_start;
}

bool timed(const CaseRecord& record) {
    return record.status == results::Status::ok && record.real_time_ns > 0 &&
           record.identity.backend == Backend::cuda;
}

std::optional<double> time_alone(const std::vector<CaseRecord>& cases, const CaseRecord& pass,
                                 std::string_view piece) {
    const std::string* const memory = parameter<std::string>(pass, "host_memory");
    for (const CaseRecord& record : cases) {
        const std::string* const own_piece = parameter<std::string>(record, "piece");
        const std::string* const own_memory = parameter<std::string>(record, "host_memory");
        if (own_piece && *own_piece == piece && timed(record) && same_problem(record, pass) &&
            (!own_memory || (memory && *memory == *own_memory)))
            return record.real_time_ns;
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::pair<const CaseRecord*, Overlap>> overlaps(const std::vector<CaseRecord>& cases) {
    std::vector<std::pair<const CaseRecord*, Overlap>> found;
    for (const CaseRecord& record : cases) {
        const auto* const streams = parameter<std::int64_t>(record, "streams");
        const auto* const direction = parameter<std::string>(record, "direction");
        if (record.identity.workload != "transfer_overlap" || !streams || !direction ||
            !timed(record))
            continue;
        Overlap overlap{.streams = static_cast<int>(*streams), .measured = record.real_time_ns};
        bool complete = true;
        for (const std::string_view piece : {"upload", "kernel", "download"}) {
            if ((piece == "upload" && *direction == "kernel_download") ||
                (piece == "download" && *direction == "upload_kernel"))
                continue;
            const std::optional<double> alone = time_alone(cases, record, piece);
            complete = complete && alone;
            overlap.pieces += alone.value_or(0);
            overlap.longest = std::max(overlap.longest, alone.value_or(0));
            if (piece == "kernel") overlap.kernel = alone.value_or(0);
        }
        if (complete) found.emplace_back(&record, overlap);
    }
    return found;
}

}  // namespace camber::overlap
