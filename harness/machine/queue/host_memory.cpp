#include "harness/machine/queue/host_memory.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "harness/base/process.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

namespace {

// Alignment of cudaMalloc, which layouts rely on.
constexpr std::align_val_t allocation_alignment{256};

void copy_rows(const Transfer& transfer) {
    for (std::size_t row = 0; row < transfer.shape.rows; ++row)
        std::memcpy(static_cast<std::byte*>(transfer.to) + row * transfer.to_pitch,
                    static_cast<const std::byte*>(transfer.from) + row * transfer.from_pitch,
                    transfer.shape.width);
}

// Fills `memory` with copies of `value`: copies of what is filled already, up to a size that stays in
// the cache.
void repeat(std::span<const std::byte> value, std::span<std::byte> memory) {
    if (memory.empty()) return;
    std::ranges::copy(value, memory.begin());
    const std::size_t most = value.size() * std::max<std::size_t>(1, 16384 / value.size());
    for (std::size_t done = value.size(); done < memory.size();) {
        const std::size_t piece = std::min({done, most, memory.size() - done});
        std::memcpy(memory.data() + done, memory.data(), piece);
        done += piece;
    }
}

struct HostEvent final : public Event {
    // Shared with recordings, which may outlive the event. A null pointer inside: the event marks
    // no work.
    const std::shared_ptr<HostSchedule::Reached> mark = std::make_shared<HostSchedule::Reached>();
};

}  // namespace

HostMemoryQueue::HostMemoryQueue(HostMemoryQueue* main, Backend backend)
    : Queue(backend),
      main_(main ? main->main_ : *this),
      schedule_(main ? main->schedule_ : std::make_shared<HostSchedule>()),
      lane_(schedule_->open()) {
    if (!main) return;
    set_label(main->label());
    report_beside(*main);
}

HostMemoryQueue::~HostMemoryQueue() {
    schedule_->close(lane_);
}

std::unique_ptr<Queue> HostMemoryQueue::open_beside() {
    return std::make_unique<HostMemoryQueue>(this);
}

std::unique_ptr<Event> HostMemoryQueue::make_event(bool) {
    return std::make_unique<HostEvent>();
}

void HostMemoryQueue::record(Event& event) {
    enqueue([this, mark = dynamic_cast<HostEvent&>(event).mark] {
        const auto reached = *mark = std::make_shared<HostSchedule::Mark>();
        schedule_->add(lane_, {[this, reached] {
                                   reached->reached = true;
                                   reached->known = lane_.known();
                                   reached->at = std::chrono::steady_clock::now();
                               },
                               nullptr});
    });
}

void HostMemoryQueue::wait(const Event& event) {
    enqueue([this, mark = dynamic_cast<const HostEvent&>(event).mark] {
        if (*mark) schedule_->add(lane_, {{}, *mark});
    });
}

double HostMemoryQueue::seconds_between(const Event& first, const Event& last) {
    synchronize();
    const auto at = [](const Event& event) {
        return (*dynamic_cast<const HostEvent&>(event).mark)->at;
    };
    return std::chrono::duration<double>(at(last) - at(first)).count();
}

DeviceLimits HostMemoryQueue::limits() const {
    DeviceLimits limits;
    limits.total_memory = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    limits.available_memory = available_host_memory();
    return limits;
}

void* HostMemoryQueue::allocate(std::size_t bytes) {
    // Linux overcommits memory and later kills the process, so check the available memory first.
    if (const std::size_t available = available_host_memory(); bytes > available)
        report_memory_shortage("one field", bytes, available);
    void* memory = ::operator new(bytes, allocation_alignment, std::nothrow);
    if (!memory) report_memory_shortage("one field", bytes, available_host_memory());
    if (observer()) observer()->allocated(memory, bytes);
    return memory;
}

void HostMemoryQueue::release(void* memory) noexcept {
    schedule_->finish_all();
    if (observer()) observer()->released(memory);
    ::operator delete(memory, allocation_alignment);
}

void HostMemoryQueue::fill(void* memory, std::size_t count, std::span<const std::byte> value) {
    perform([this, memory, count, value = std::vector<std::byte>(value.begin(), value.end())] {
        const SpanTimer span = timed(SpanKind::fill, "fill", count * value.size());
        const std::size_t bytes = count * value.size();
        repeat(value, {static_cast<std::byte*>(memory), bytes});
        if (observer()) observer()->written(memory, bytes, {bytes, 1});
    });
}

void HostMemoryQueue::poison(std::span<const ByteArea> areas, Poison poison) {
    perform([this, poison, areas = std::vector(areas.begin(), areas.end())] {
        const SpanTimer span = timed(SpanKind::fill, "poison");
        for (const ByteArea& area : areas) {
            for (std::size_t row = 0; row < area.rows; ++row) {
                std::byte* const first = static_cast<std::byte*>(area.first) + row * area.pitch;
                for (std::size_t piece = 0; piece < area.pieces; ++piece)
                    fill_with_poison({first + piece * area.stride, area.width}, area.element,
                                     poison);
            }
            if (observer()) observer()->poisoned(area);
        }
    });
}

void HostMemoryQueue::transfer(TransferKind kind, const Transfer& transfer) {
    const bool waits = kind == TransferKind::upload || kind == TransferKind::download;
    if (waits) refuse_to_record_transfer();
    perform([=, this] { perform_transfer(kind, transfer); });
    if (waits) synchronize();
}

void HostMemoryQueue::perform_transfer(TransferKind kind, const Transfer& transfer) const {
    const std::size_t bytes = transfer.shape.width * transfer.shape.rows;
    switch (kind) {
        case TransferKind::upload:
        case TransferKind::start_upload: {
            const SpanTimer span = timed(SpanKind::upload, "upload", bytes);
            return transfer_now(transfer);
        }
        case TransferKind::download:
        case TransferKind::start_download: {
            const SpanTimer span = timed(SpanKind::download, "download", bytes);
            copy_rows(transfer);
            if (!observer()) return;
            observer()->read(transfer.from, transfer.from_pitch, transfer.shape);
            return observer()->host_written(transfer.to, transfer.to_pitch, transfer.shape);
        }
        case TransferKind::copy: {
            const SpanTimer span = timed(SpanKind::copy, "copy", bytes);
            copy_rows(transfer);
            if (observer()) observer()->copied(transfer.to, transfer.from, bytes);
            return;
        }
        case TransferKind::peer_copy: {
            const SpanTimer span = timed(SpanKind::peer, "copy", bytes);
            return transfer_now(transfer);
        }
    }
}

void* HostMemoryQueue::allocate_pinned(std::size_t bytes) {
    void* memory = ::operator new(bytes, allocation_alignment, std::nothrow);
    if (!memory) report_memory_shortage("a buffer of the host", bytes, available_host_memory());
    return memory;
}

void HostMemoryQueue::release_pinned(void* memory) noexcept {
    schedule_->finish_all();
    ::operator delete(memory, allocation_alignment);
}

void HostMemoryQueue::transfer_now(const Transfer& transfer) const {
    copy_rows(transfer);
    if (!observer()) return;
    observer()->read(transfer.from, transfer.from_pitch, transfer.shape);
    observer()->written(transfer.to, transfer.to_pitch, transfer.shape);
}

template <class R>
void HostMemoryQueue::least_of(const R* values, std::size_t count, R* least) {
    perform([=, this] {
        const SpanTimer span = timed(SpanKind::kernel, "minimum");
        *least = *std::min_element(values, values + count);
        if (!observer()) return;
        observer()->read(values, count * sizeof(R), {count * sizeof(R), 1});
        observer()->written(least, sizeof(R), {sizeof(R), 1});
    });
}

void HostMemoryQueue::minimum(const float* values, std::size_t count, float* least) {
    least_of(values, count, least);
}

void HostMemoryQueue::minimum(const double* values, std::size_t count, double* least) {
    least_of(values, count, least);
}

void HostMemoryQueue::select(const std::uint8_t* flags, std::size_t count, std::int32_t* indices,
                             std::int32_t* selected) {
    perform([=, this] {
        const SpanTimer span = timed(SpanKind::kernel, "select");
        std::int32_t found = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (flags[i] != 0) indices[found++] = static_cast<std::int32_t>(i);
        *selected = found;
        if (!observer()) return;
        const std::size_t bytes = sizeof(std::int32_t) * static_cast<std::size_t>(found);
        observer()->written(indices, bytes, {bytes, 1});
        observer()->written(selected, sizeof(*selected), {sizeof(*selected), 1});
    });
}

void HostMemoryQueue::enqueue(Work piece) {
    if (main_.collected_)
        main_.collected_->push_back(std::move(piece));
    else
        piece();
}

void HostMemoryQueue::perform(Work work) {
    enqueue([this, work = std::move(work)] {
        schedule_->add(lane_, {[this, work] {
                                   if (observer())
                                       observer()->work_begins(*this, lane_.number(),
                                                               lane_.known());
                                   work();
                               },
                               nullptr});
    });
}

void HostMemoryQueue::perform_in_parts(std::function<Parts()> begin) {
    enqueue([this, begin = std::move(begin)] {
        const Parts parts = begin();
        const auto part = [this, advance = parts.advance] {
            if (observer()) observer()->work_begins(*this, lane_.number(), lane_.known());
            return advance();
        };
        schedule_->add(
            lane_, {.work = {}, .awaited = nullptr, .may_begin = parts.may_advance, .part = part});
    });
}

std::vector<HostMemoryQueue::Work> HostMemoryQueue::collect(const std::function<void()>& enqueue) {
    std::vector<Work> work;
    main_.collected_ = &work;
    try {
        enqueue();
    } catch (...) {
        main_.collected_ = nullptr;
        throw;
    }
    main_.collected_ = nullptr;
    return work;
}

std::optional<FieldDifference> HostMemoryQueue::compare(const CellsView& actual,
                                                        std::span<const std::byte> expected,
                                                        ElementType element, Size size,
                                                        const CellLimits& limits) {
    synchronize();
    return difference_of(actual.cells, actual.pitch, expected.data(), element, size, limits,
                         omp_get_max_threads());
}

void HostMemoryQueue::finish(HostWait) {
    refuse_to_record_transfer();
    const SpanTimer span = timed_on_host(SpanKind::wait, "wait");
    schedule_->finish(lane_);
}

// A device's queue does not run while it records, so transfers that wait are refused here too.
void HostMemoryQueue::refuse_to_record_transfer() const {
    if (main_.collected_) throw NotRecordable();
}

double HostMemoryQueue::time(const std::function<void()>& enqueue) {
    const auto start = std::chrono::steady_clock::now();
    enqueue();
    synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace camber
