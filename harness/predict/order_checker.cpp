#include "harness/predict/order_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/process.hpp"
#include "harness/predict/shadow.hpp"

namespace camber {

void OrderChecker::begin(PlaceMemory& memory) {
    memory_ = &memory;
    pages_.clear();
    times_.clear();
    works_.resize(1);
    is_named_ = false;
    block_ = launch_ = {};
    waited_.clear();
    counted_.clear();
}

void OrderChecker::work_begins(const Queue& queue, int lane, const WorkClock& known) {
    waited_[lane_].take(launch_);
    block_ = launch_ = {};
    queue_ = &queue;
    lane_ = lane;
    known_ = &known;
    is_named_ = false;
}

void OrderChecker::begin_work(const std::string& name) {
    works_.push_back({queue_, lane_, known_->of(lane_), name, ++times_[{queue_, name}]});
    is_named_ = true;
}

// A launch's name has the form "variant (kernel)".
void OrderChecker::begin_launch(const simt::Launch& launch, const simt::SiteTable&) {
    check_stop();
    if (!memory_) return;
    const std::size_t open = launch.name.rfind('(');
    const std::size_t start = open == std::string::npos ? 0 : open + 1;
    const std::size_t end = open == std::string::npos ? launch.name.size() : launch.name.size() - 1;
    begin_work("kernel " + launch.name.substr(start, end - start));
}

void OrderChecker::record(const simt::Access& access) {
    if (!memory_ || (access.space != Space::global && access.space != Space::bulk)) return;
    memory_->know(access.field->name);
    touch(access.address, access.size, access.operation);
}

void OrderChecker::end_block(const simt::Index3&) {
    block_ = {};
}

void OrderChecker::waited(const void* counter, std::uint32_t number) {
    const auto found = counted_.find(counter);
    if (number == 0 || found == counted_.end() || number > found->second.size()) return;
    block_.take(found->second[number - 1]);
    launch_.take(found->second[number - 1]);
}

void OrderChecker::counted(const void* counter, std::uint32_t number) {
    std::vector<WorkClock>& counts = counted_[counter];
    if (counts.size() < number) counts.resize(number);
    counts[number - 1] = clock_now();
}

WorkClock OrderChecker::clock_now() const {
    WorkClock clock = *known_;
    clock.take(block_);
    if (const auto found = waited_.find(lane_); found != waited_.end()) clock.take(found->second);
    return clock;
}

std::uint32_t OrderChecker::known_of(int lane) const {
    const auto found = waited_.find(lane_);
    return std::max(
        {known_->of(lane), block_.of(lane), found == waited_.end() ? 0 : found->second.of(lane)});
}

void OrderChecker::read(const void* memory, std::size_t pitch, Rectangle shape) {
    touch_rows(memory, pitch, shape, Operation::load);
}
void OrderChecker::written(const void* memory, std::size_t pitch, Rectangle shape) {
    touch_rows(memory, pitch, shape, Operation::store);
}
void OrderChecker::host_written(const void* memory, std::size_t pitch, Rectangle shape) {
    touch_rows(memory, pitch, shape, Operation::store);
}
void OrderChecker::poisoned(const ByteArea& area) {
    for (std::size_t row = 0; row < area.rows; ++row)
        touch_rows(static_cast<const std::byte*>(area.first) + row * area.pitch, area.stride,
                   {area.width, area.pieces}, Operation::store);
}
void OrderChecker::copied(const void* to, const void* from, std::size_t bytes) {
    touch_rows(from, bytes, {bytes, 1}, Operation::load);
    touch_rows(to, bytes, {bytes, 1}, Operation::store);
}

void OrderChecker::touch_rows(const void* memory, std::size_t pitch, Rectangle shape,
                              Operation operation) {
    if (!memory_) return;
    for (std::size_t row = 0; row < shape.rows; ++row)
        touch(static_cast<const std::byte*>(memory) + row * pitch, shape.width, operation);
}

OrderChecker::Granule& OrderChecker::granule_at(std::uintptr_t address) {
    std::unique_ptr<Page>& page = pages_[address / Page::bytes];
    if (!page) page = std::make_unique<Page>();
    return page->granules[address % Page::bytes / Granule::bytes];
}

void OrderChecker::touch(const void* memory, std::size_t bytes, Operation operation) {
    if (!is_named_) begin_work("a transfer");
    const Stamp now{static_cast<std::uint32_t>(works_.size() - 1), operation};
    const std::uintptr_t end = number(memory) + bytes;
    for (std::uintptr_t at = number(memory); at < end;) {
        const std::uintptr_t next = at / Granule::bytes * Granule::bytes + Granule::bytes;
        Granule& granule = granule_at(at);
        if (!granule.each && at % Granule::bytes == 0 && next <= end) {
            touch(granule.all, now, at);
            at = next;
            continue;
        }
        if (!granule.each) {
            granule.each = std::make_unique<std::array<Accesses, Granule::bytes>>();
            for (Accesses& byte : *granule.each) {
                byte.latest = granule.all.latest;
                if (granule.all.others)
                    byte.others = std::make_unique<std::vector<Stamp>>(*granule.all.others);
            }
        }
        for (; at < end && at < next; ++at) touch((*granule.each)[at % Granule::bytes], now, at);
    }
}

bool OrderChecker::is_ordered(Stamp earlier) const {
    const Work& work = works_[earlier.work];
    return earlier.work == 0 || work.lane == lane_ || known_of(work.lane) >= work.number;
}

// Atomic operations do not race with each other.
void OrderChecker::touch(Accesses& accesses, Stamp now, std::uintptr_t address) {
    const auto compare = [&](Stamp earlier) {
        const bool is_harmless =
            earlier.operation == now.operation && now.operation != Operation::store;
        if (!is_harmless && !is_ordered(earlier)) report(earlier, now, address);
    };
    compare(accesses.latest);
    if (accesses.others)
        for (const Stamp other : *accesses.others) compare(other);
    // Work that is ordered after this store is also ordered after everything before the store.
    if (now.operation == Operation::store) {
        accesses = {.latest = now, .others = nullptr};
        return;
    }
    const auto is_replaced = [&](Stamp stamp) {
        return stamp.operation == now.operation &&
               (stamp.work == 0 || works_[stamp.work].lane == lane_);
    };
    if (is_replaced(accesses.latest)) {
        accesses.latest = now;
        return;
    }
    if (!accesses.others) accesses.others = std::make_unique<std::vector<Stamp>>();
    const auto own = std::ranges::find_if(*accesses.others, is_replaced);
    if (own == accesses.others->end())
        accesses.others->push_back(now);
    else
        *own = now;
}

void OrderChecker::report(Stamp earlier, Stamp now, std::uintptr_t number) {
    const void* const address = reinterpret_cast<const void*>(number);
    const Work& first = works_[earlier.work];
    const Work& second = works_[now.work];
    const auto cell = memory_->at(address);
    const Key key{first.queue,       first.name,    second.queue,           second.name,
                  earlier.operation, now.operation, cell ? cell->field : ""};
    const auto [place, added] = index_.emplace(key, findings_.size());
    if (added) {
        const auto describe = [&](const Work& work, Operation operation) {
            return fmt::format("{} by {} on {}", noun(operation), work.name,
                               memory_->name(work.queue));
        };
        findings_.push_back({.kind = FindingKind::missing_wait,
                             .sites = describe(first, earlier.operation) + ", then " +
                                      describe(second, now.operation),
                             .paths = "",
                             .examples = {},
                             .sentence = ""});
    }
    Finding& found = findings_[place->second];
    ++found.count;
    if (static_cast<int>(found.examples.size()) >= examples_) return;
    FindingExample example{fmt::format("number {} of {}, number {} of {}", first.times, first.name,
                                       second.times, second.name),
                           memory_->name(address)};
    if (found.examples.empty() || found.examples.back().address != example.address)
        found.examples.push_back(std::move(example));
}

}  // namespace camber
