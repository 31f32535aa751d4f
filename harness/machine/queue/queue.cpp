#include "harness/machine/queue/queue.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/base/error.hpp"

namespace camber {

std::string_view name(HostWait wait) {
    switch (wait) {
        case HostWait::driver:
            return "driver";
        case HostWait::blocking:
            return "blocking";
        case HostWait::busy:
            return "busy";
    }
    return "";
}

HostWait host_wait_named(std::string_view text) {
    for (const HostWait wait : {HostWait::driver, HostWait::blocking, HostWait::busy})
        if (name(wait) == text) return wait;
    throw Error(ExitCode::usage,
                fmt::format("host wait '{}' is unknown: choose driver, blocking or busy", text));
}

std::unique_ptr<Recording> Queue::record(const std::function<void()>&) {
    throw Error(ExitCode::usage,
                fmt::format("the {} backend cannot record work for replay", name(backend())),
                Remedy::backend_with_graphs);
}

void Queue::evict_caches() {
    throw Error(ExitCode::usage,
                fmt::format("the {} backend cannot empty its caches", name(backend())),
                Remedy::backend_with_caches);
}

void Queue::set_lane(int place, std::string name) {
    place_ = place;
    lane_name_ = std::move(name);
}

Queue::Queue(Backend backend) : backend_(backend), reporting_(std::make_shared<Reporting>()) {
    reporting_->queues.push_back(this);
}

Queue::~Queue() {
    std::erase(reporting_->queues, this);
}

void Queue::report_beside(const Queue& main) {
    reporting_ = main.reporting_;
    if (reporting_->queues.size() == 1) reporting_->opened = 1;  // no other queues remain
    reporting_->queues.push_back(this);
    set_lane(main.place_, fmt::format("queue {}", ++reporting_->opened));
}

void Queue::report_to(SpanLog* log) {
    reporting_->log = log;
    if (!log) return;
    for (const Queue* queue : reporting_->queues)
        log->lane(queue->place_, queue->lane_name_, false, queue->native_stream_);
}

SpanTimer Queue::timed(SpanKind kind, std::string name, std::size_t bytes) const {
    SpanLog* const log = reporting_->log;
    if (!log) return {};
    return {log, log->lane(place_, lane_name_), kind, std::move(name),
            static_cast<std::int64_t>(bytes)};
}

SpanTimer Queue::timed_on_host(SpanKind kind, std::string name) const {
    SpanLog* const log = reporting_->log;
    if (!log) return {};
    return {log, log->host_lane(place_), kind, std::move(name)};
}

}  // namespace camber
