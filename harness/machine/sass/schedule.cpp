#include "harness/machine/sass/schedule.hpp"

#include <algorithm>
#include <array>

#include "harness/base/text_counts.hpp"

namespace camber {
namespace {

constexpr int barriers = 6;

class Warp {
  public:
    void go_through(const std::vector<ScheduledInstruction>& text) {
        counted_ = {};
        for (const ScheduledInstruction& instruction : text) step(instruction);
    }
    const Schedule& counted() const { return counted_; }

    // What one instruction adds.
    Schedule go_through(const ScheduledInstruction& instruction) {
        counted_ = {};
        step(instruction);
        return counted_;
    }

  private:
    struct Pending {
        std::optional<std::int64_t> memory;  // when the last of them was issued
        std::optional<std::int64_t> brief;
    };

    void step(const ScheduledInstruction& instruction) {
        const IssueControl& control = instruction.control;
        for (int b = 0; b < barriers; ++b)
            if ((control.waits >> b & 1u) != 0) wait(pending_[static_cast<std::size_t>(b)]);
        const auto set = [&](const std::optional<int>& barrier, Wait kind) {
            if (!barrier) return;
            Pending& pending = pending_[static_cast<std::size_t>(*barrier)];
            (kind == Wait::memory ? pending.memory : pending.brief) = now_;
        };
        set(control.sets, instruction.result);
        set(control.frees, Wait::brief);
        now_ += control.stall;
        counted_.cycles += control.stall;
    }

    void wait(Pending& pending) {
        if (pending.memory && *pending.memory >= memory_waited_) {
            ++counted_.memory_waits;
            const std::int64_t since = now_ - *pending.memory;
            counted_.memory_covered += std::min<std::int64_t>(since, text_counts::short_wait);
            counted_.long_covered += std::min<std::int64_t>(since, text_counts::long_wait);
            memory_waited_ = now_;
            brief_waited_ = now_;
        } else if (pending.brief && *pending.brief >= brief_waited_) {
            ++counted_.brief_waits;
            counted_.brief_covered += std::min(now_ - *pending.brief, longest_brief_wait);
            brief_waited_ = now_;
        }
        pending = {};
    }

    std::int64_t now_ = 0;
    std::int64_t memory_waited_ = 0;
    std::int64_t brief_waited_ = 0;
    std::array<Pending, barriers> pending_;
    Schedule counted_;
};

}  // namespace

IssueControl issue_control(std::uint64_t upper) {
    const auto bits = [upper](int from, int count) {
        return static_cast<int>(upper >> from & ((1u << count) - 1));
    };
    const auto barrier = [](int number) {
        return number < barriers ? std::optional(number) : std::nullopt;
    };
    return {std::max(1, bits(41, 4)), barrier(bits(46, 3)), barrier(bits(49, 3)),
            static_cast<unsigned>(bits(52, 6))};
}

Schedule schedule_of(const std::vector<ScheduledInstruction>& text, bool repeats) {
    Warp warp;
    warp.go_through(text);
    if (repeats) warp.go_through(text);
    return warp.counted();
}

std::vector<Schedule> parts_of_schedule(const std::vector<ScheduledInstruction>& text) {
    Warp warp;
    std::vector<Schedule> parts;
    for (const ScheduledInstruction& instruction : text)
        parts.push_back(warp.go_through(instruction));
    return parts;
}

void add_schedule(const Schedule& schedule, std::map<std::string, std::int64_t>& counts) {
    counts[std::string(text_counts::cycles)] = schedule.cycles;
    counts[std::string(text_counts::memory_waits)] = schedule.memory_waits;
    counts[std::string(text_counts::memory_covered)] = schedule.memory_covered;
    counts[std::string(text_counts::long_covered)] = schedule.long_covered;
    counts[std::string(text_counts::brief_waits)] = schedule.brief_waits;
    counts[std::string(text_counts::brief_covered)] = schedule.brief_covered;
}

}  // namespace camber
