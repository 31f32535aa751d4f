#include "analysis/timeline/quantities.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/base/statistics.hpp"

namespace camber::timeline {

namespace {

// Time intervals, ascending and disjoint.
using Pieces = std::vector<std::pair<std::int64_t, std::int64_t>>;

Pieces united(Pieces pieces) {
    std::ranges::sort(pieces);
    Pieces whole;
    for (const auto& [start, end] : pieces)
        if (!whole.empty() && start <= whole.back().second)
            whole.back().second = std::max(whole.back().second, end);
        else
            whole.emplace_back(start, end);
    return whole;
}

std::int64_t length(const Pieces& pieces) {
    std::int64_t sum = 0;
    for (const auto& [start, end] : pieces) sum += end - start;
    return sum;
}

std::int64_t common_length(const Pieces& a, const Pieces& b) {
    std::int64_t sum = 0;
    for (auto one = a.begin(), other = b.begin(); one != a.end() && other != b.end();) {
        sum += std::max<std::int64_t>(
            0, std::min(one->second, other->second) - std::max(one->first, other->first));
        one->second < other->second ? ++one : ++other;
    }
    return sum;
}

struct PlacePieces {
    Pieces kernels, copies, barriers, waits, work;
    std::vector<double> delays;
    std::int64_t launched = 0;
};

PlaceQuantities of_place(std::string name, PlacePieces pieces, std::int64_t whole) {
    PlaceQuantities found;
    found.place = std::move(name);
    found.kernels = pieces.launched;
    const Pieces kernels = united(std::move(pieces.kernels));
    const Pieces copies = united(std::move(pieces.copies));
    const Pieces work = united(std::move(pieces.work));
    found.kernel_ns = length(kernels);
    found.busy_share =
        whole > 0 ? static_cast<double>(length(work)) / static_cast<double>(whole) : 0;
    found.copy_ns = length(copies);
    found.exposed_copy_ns = found.copy_ns - common_length(copies, kernels);
    Pieces both = pieces.barriers;
    both.insert(both.end(), pieces.waits.begin(), pieces.waits.end());
    both = united(std::move(both));
    found.exposed_wait_ns = length(both) - common_length(both, work);
    found.barrier_wait_ns = length(united(std::move(pieces.barriers)));
    found.host_wait_ns = length(united(std::move(pieces.waits)));
    for (std::size_t i = 1; i < work.size(); ++i) {
        if (kernels.empty() || work[i].first <= kernels.front().first ||
            work[i - 1].second >= kernels.back().second)
            continue;
        const std::int64_t gap = work[i].first - work[i - 1].second;
        ++found.gaps;
        found.gap_ns += gap;
        found.longest_gap_ns = std::max(found.longest_gap_ns, gap);
    }
    if (!pieces.delays.empty()) found.issue_to_start_ns = median(pieces.delays);
    return found;
}

// Returns true for device work other than a wait at a barrier.
bool is_work(const Span& span, const Lane& lane) {
    return !lane.host &&
           (span.kind == SpanKind::kernel || is_copy(span.kind) || span.kind == SpanKind::fill);
}

// Host calls by correlation ID, which connects a call to its device operation.
std::map<std::int64_t, const Span*> calls_of(const Timeline& timeline) {
    std::map<std::int64_t, const Span*> calls;
    for (const Span& span : timeline.spans)
        if (span.correlation != 0 && timeline.lanes[static_cast<std::size_t>(span.lane)].host)
            calls.try_emplace(span.correlation, &span);
    return calls;
}

}  // namespace

Quantities quantities_of(const Timeline& timeline) {
    Quantities found;
    std::vector<PlacePieces> places(timeline.places.size());
    const auto calls = calls_of(timeline);
    std::optional<std::int64_t> first;
    std::int64_t last = 0;
    for (const Span& span : timeline.spans) {
        const Lane& lane = timeline.lanes[static_cast<std::size_t>(span.lane)];
        PlacePieces& place = places[static_cast<std::size_t>(lane.place)];
        const std::pair piece(span.start_ns, span.end_ns);
        if (span.kind == SpanKind::barrier) place.barriers.push_back(piece);
        if (span.kind == SpanKind::wait) place.waits.push_back(piece);
        if (!is_work(span, lane)) continue;
        first = std::min(first.value_or(span.start_ns), span.start_ns);
        last = std::max(last, span.end_ns);
        place.work.push_back(piece);
        if (span.kind == SpanKind::kernel) {
            place.kernels.push_back(piece);
            ++place.launched;
        }
        if (is_copy(span.kind)) place.copies.push_back(piece);
        if (const auto call = calls.find(span.correlation); call != calls.end())
            place.delays.push_back(static_cast<double>(span.start_ns - call->second->start_ns));
    }
    if (first) found.length_ns = last - *first;
    std::int64_t most = 0;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        found.places.push_back(of_place(timeline.places[i], std::move(places[i]), found.length_ns));
        most = std::max(most, found.places.back().kernel_ns);
        sum += found.places.back().kernel_ns;
    }
    if (sum > 0)
        found.imbalance = static_cast<double>(most) * static_cast<double>(places.size()) /
                          static_cast<double>(sum);
    return found;
}

std::optional<double> clock_residual_ns(const Timeline& timeline) {
    const auto calls = calls_of(timeline);
    std::optional<std::int64_t> residual;
    for (std::size_t place = 0; place < timeline.places.size(); ++place) {
        std::optional<std::int64_t> after_call;
        std::optional<std::int64_t> before_wait;
        struct Issued {
            int lane;
            std::int64_t call_end, end;
        };
        std::vector<Issued> issued;
        for (const Span& span : timeline.spans) {
            const Lane& lane = timeline.lanes[static_cast<std::size_t>(span.lane)];
            if (lane.place != static_cast<int>(place) || !is_work(span, lane)) continue;
            const auto call = calls.find(span.correlation);
            if (call == calls.end()) continue;
            const std::int64_t delay = span.start_ns - call->second->start_ns;
            after_call = std::min(after_call.value_or(delay), delay);
            issued.push_back({span.lane, call->second->end_ns, span.end_ns});
        }
        for (const Span& wait : timeline.spans) {
            if (wait.kind != SpanKind::wait ||
                timeline.lanes[static_cast<std::size_t>(wait.lane)].place !=
                    static_cast<int>(place))
                continue;
            // A wait for a queue ends after the last work that was queued when it began. The
            // timeline does not record the queue: it is assumed to be the one whose work ends
            // closest to the end of the wait.
            std::map<int, std::int64_t> last;
            for (const Issued& one : issued)
                if (one.call_end <= wait.start_ns) {
                    const auto [end, fresh] = last.try_emplace(one.lane, one.end);
                    if (!fresh) end->second = std::max(end->second, one.end);
                }
            if (last.empty()) continue;
            std::int64_t distance = wait.end_ns - last.begin()->second;
            for (const auto& [lane, end] : last)
                if (std::abs(wait.end_ns - end) < std::abs(distance)) distance = wait.end_ns - end;
            before_wait = std::min(before_wait.value_or(distance), distance);
        }
        if (!after_call && !before_wait) continue;  // device without work
        if (!after_call || !before_wait) return std::nullopt;
        for (const std::int64_t distance : {*after_call, *before_wait})
            residual = std::max(residual.value_or(0), std::abs(distance));
    }
    if (!residual) return std::nullopt;
    return static_cast<double>(*residual);
}

}  // namespace camber::timeline

namespace camber::overlap {

namespace {

using results::CaseRecord;

// Parameter of the variant; nullptr if there is none of this name and type.
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
