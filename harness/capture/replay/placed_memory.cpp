#include "harness/capture/replay/replayed_launch.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace camber::capture {

namespace {

// Allocations that share a unit of physical memory are mapped together.
struct Span {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::vector<std::size_t> buffers;
};

std::vector<Span> spans_of(const CapturedLaunch& launch, std::uint64_t unit) {
    std::vector<Span> spans;
    for (std::size_t k = 0; k < launch.buffers.size(); ++k) {
        const Buffer& buffer = launch.buffers[k];
        if (buffer.kind != BufferKind::device && buffer.kind != BufferKind::managed) continue;
        const std::uint64_t end = buffer.address + buffer.bytes;
        spans.push_back({buffer.address / unit * unit, (end + unit - 1) / unit * unit, {k}});
    }
    std::ranges::sort(spans, {}, &Span::begin);
    std::vector<Span> merged;
    for (Span& span : spans) {
        if (merged.empty() || span.begin >= merged.back().end) {
            merged.push_back(std::move(span));
            continue;
        }
        merged.back().end = std::max(merged.back().end, span.end);
        merged.back().buffers.push_back(span.buffers.front());
    }
    return merged;
}

}  // namespace

PlacedMemory::PlacedMemory(const CapturedLaunch& launch, CuDevice device, bool separate)
    : addresses_(launch.buffers.size()) {
    if (separate)
        place_separately(launch);
    else
        place_device(launch, device);
    for (std::size_t k = 0; k < launch.buffers.size(); ++k)
        if (launch.buffers[k].kind == BufferKind::host) place_host(launch.buffers[k], k);
}

void PlacedMemory::place_device(const CapturedLaunch& launch, CuDevice device) {
    const Driver& cuda = driver();
    const CuMemoryLocation location{1, device};
    const CuAllocationProperties properties{1, 0, location, nullptr, {}};
    std::size_t unit = 0;
    check(cuda.allocation_granularity(&unit, &properties, 0), "reserving memory");
    for (const Span& span : spans_of(launch, unit)) {
        const std::uint64_t bytes = span.end - span.begin;
        CuAddress place = 0;
        // The old address is a hint, which the driver need not follow.
        check(cuda.reserve_address(&place, bytes, 0, span.begin, 0), "reserving memory");
        unsigned long long memory = 0;
        check(cuda.create_memory(&memory, bytes, &properties, 0), "reserving memory");
        check(cuda.map_memory(place, bytes, 0, memory, 0), "mapping memory");
        const CuAccess access{location, 3};
        check(cuda.set_access(place, bytes, &access, 1), "mapping memory");
        for (const std::size_t k : span.buffers)
            addresses_[k] = place + (launch.buffers[k].address - span.begin);
        if (place != span.begin) moved_ += span.buffers.size();
    }
}

void PlacedMemory::place_separately(const CapturedLaunch& launch) {
    for (std::size_t k = 0; k < launch.buffers.size(); ++k) {
        const Buffer& buffer = launch.buffers[k];
        if (buffer.kind != BufferKind::device && buffer.kind != BufferKind::managed) continue;
        check(driver().allocate(&addresses_[k], buffer.bytes), "reserving memory");
        ++moved_;
    }
}

void PlacedMemory::place_host(const Buffer& buffer, std::size_t index) {
    constexpr std::uint64_t page = page_bytes;
    const std::uint64_t begin = buffer.address / page * page;
    const std::uint64_t bytes = (buffer.address + buffer.bytes + page - 1) / page * page - begin;
    constexpr int protection = PROT_READ | PROT_WRITE;
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    void* place =
        mmap(reinterpret_cast<void*>(begin), bytes, protection, flags | MAP_FIXED_NOREPLACE, -1, 0);
    if (place == MAP_FAILED) place = mmap(nullptr, bytes, protection, flags, -1, 0);
    if (place == MAP_FAILED) throw DriverFailure{cu_out_of_memory, "reserving host memory"};
    constexpr unsigned portable_and_mapped = 3;
    check(driver().register_host(place, bytes, portable_and_mapped), "pinning host memory");
    addresses_[index] = reinterpret_cast<CuAddress>(place) + (buffer.address - begin);
    if (addresses_[index] != buffer.address) ++moved_;
}

}  // namespace camber::capture
