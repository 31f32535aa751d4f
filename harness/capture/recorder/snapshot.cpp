#include "harness/capture/recorder/recorder.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "harness/base/error.hpp"

namespace camber::capture {

namespace {

constexpr double bytes_per_megabyte = 1e6;

std::string megabytes(std::uint64_t bytes) {
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / bytes_per_megabyte);
}

// MemAvailable of /proc/meminfo; UINT64_MAX if it is unknown.
std::uint64_t available_memory() {
    std::uint64_t kilobytes = UINT64_MAX / 1024;
    if (std::FILE* const file = std::fopen("/proc/meminfo", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, file) != nullptr) {
            unsigned long long value = 0;
            if (std::sscanf(line, "MemAvailable: %llu kB", &value) == 1) kilobytes = value;
        }
        std::fclose(file);
    }
    return kilobytes * 1024;
}

// Parameters in the form that launches by `extra` use.
ByteVector parameter_bytes(const RequestedLaunch& launch,
                           const std::vector<Parameter>& parameters) {
    std::uint64_t bytes = 0;
    for (const Parameter& one : parameters) bytes = std::max(bytes, one.offset + one.bytes);
    ByteVector values(bytes);
    if (launch.arguments != nullptr) {
        for (std::size_t k = 0; k < parameters.size(); ++k)
            std::memcpy(values.data() + parameters[k].offset, launch.arguments[k],
                        parameters[k].bytes);
        return values;
    }
    const void* buffer = nullptr;
    std::size_t given = 0;
    for (void** word = launch.extra; word != nullptr && *word != nullptr; word += 2) {
        if (word[0] == reinterpret_cast<void*>(1)) buffer = word[1];
        if (word[0] == reinterpret_cast<void*>(2)) given = *static_cast<std::size_t*>(word[1]);
    }
    if (buffer != nullptr)
        std::memcpy(values.data(), buffer, std::min<std::uint64_t>(given, bytes));
    return values;
}

// True for attributes that change how the kernel runs. Others order it among other work of the
// program, which a replay has not.
bool is_replayed(std::uint32_t id) {
    return id == cu_attribute_cooperative || id == cu_attribute_cluster ||
           id == cu_attribute_cluster_scheduling || id == cu_attribute_preferred_cluster ||
           id == cu_attribute_carveout;
}

// Ranges of pages that differ, and their content.
std::pair<std::vector<std::pair<std::uint64_t, std::uint64_t>>, ByteVector> changed_pages(
    const ByteVector& before, const ByteVector& after) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    ByteVector content;
    for (std::uint64_t at = 0; at < before.size(); at += page_bytes) {
        const std::uint64_t count = std::min<std::uint64_t>(page_bytes, before.size() - at);
        if (std::memcmp(before.data() + at, after.data() + at, count) == 0) continue;
        const std::uint64_t page = at / page_bytes;
        if (!ranges.empty() && ranges.back().first + ranges.back().second == page)
            ++ranges.back().second;
        else
            ranges.emplace_back(page, 1);
        content.insert(content.end(), after.begin() + static_cast<std::ptrdiff_t>(at),
                       after.begin() + static_cast<std::ptrdiff_t>(at + count));
    }
    return {std::move(ranges), std::move(content)};
}

}  // namespace

std::vector<Parameter> parameters_of(CuFunction function) {
    std::vector<Parameter> parameters;
    constexpr std::size_t most_parameters = 8192;
    for (std::size_t k = 0; k < most_parameters; ++k) {
        std::size_t offset = 0;
        std::size_t bytes = 0;
        if (driver().parameter_info(function, k, &offset, &bytes) != cu_success) break;
        parameters.push_back({offset, bytes});
    }
    return parameters;
}

Snapshot::Snapshot(const RequestedLaunch& launch, const std::vector<Parameter>& parameters,
                   const std::vector<std::string>& variables, std::uint64_t most_bytes,
                   std::filesystem::path folder)
    : most_bytes_(most_bytes), folder_(std::move(folder)), launch_stream_(launch.stream) {
    const Driver& cuda = driver();
    check(cuda.wait_for_stream(launch_stream_), "waiting for the work before the launch");
    if (cuda.synchronize() != cu_success)
        notes_.emplace_back(
            "work in other streams was not waited for, because one of them records a graph");

    launch_.grid = launch.grid;
    launch_.block = launch.block;
    launch_.shared_bytes = launch.shared_bytes;
    for (const CuLaunchAttribute& attribute : launch.attributes)
        if (is_replayed(attribute.id))
            launch_.attributes.push_back(
                {attribute.id, hexadecimal(attribute.value, sizeof attribute.value)});

    CuModule module = nullptr;
    if (!variables.empty())
        check(cuda.function_module(&module, launch.function), "looking for the kernel's module");
    for (const std::string& name : variables) {
        Buffer variable;
        CuAddress address = 0;
        std::size_t bytes = 0;
        if (cuda.module_global(&address, &bytes, module, name.c_str()) != cu_success || bytes == 0)
            continue;
        variable.kind = BufferKind::variable;
        variable.name = name;
        variable.address = address;
        variable.bytes = bytes;
        add(std::move(variable));
    }
    const ByteVector values = parameter_bytes(launch, parameters);
    launch_.parameters = hexadecimal(values.data(), values.size());
    launch_.pointers = pointers_in(values);
    note_pageable(values);
    // Most words that look like addresses are numbers. Those of the parameters show whether device
    // memory has address ranges of the process.
    skips_unmapped_ = std::ranges::all_of(copies_, [&](const Copy& copy) {
        return copy.buffer.kind == BufferKind::variable || ranges_.contain(copy.buffer.address);
    });
    // The list grows while it is visited.
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        ByteVector bytes = copied(copies_[k].buffer);
        std::vector<PointerWord> pointers = pointers_in(bytes);
        copies_[k].before = std::move(bytes);
        copies_[k].buffer.pointers = std::move(pointers);
    }
    if (queries_left_ == 0)
        notes_.emplace_back(
            "more words look like addresses than are followed, so memory that only further "
            "pointers lead to may be missing");
}

Snapshot::OwnStream::OwnStream() {
    driver().exchange_capture_mode(&mode_);
    driver().create_stream(&stream_, cu_stream_non_blocking);
}

Snapshot::OwnStream::~OwnStream() {
    driver().destroy_stream(stream_);
    driver().exchange_capture_mode(&mode_);
}

CapturedLaunch Snapshot::finish(std::uint64_t number, const std::string& prefix) {
    const Driver& cuda = driver();
    check(cuda.wait_for_stream(launch_stream_), "waiting for the kernel");
    launch_.number = number;
    std::vector<std::pair<std::vector<std::pair<std::uint64_t, std::uint64_t>>, ByteVector>> after;
    for (const Copy& copy : copies_)
        after.push_back(changed_pages(copy.before, copied(copy.buffer)));
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        Copy& copy = copies_[k];
        const std::string name = fmt::format("{}buffer-{}", prefix, k);
        copy.buffer.before = write_packed(folder_, name + ".before.zst", copy.before);
        copy.buffer.changed = std::move(after[k].first);
        if (!copy.buffer.changed.empty())
            copy.buffer.after = write_packed(folder_, name + ".after.zst", after[k].second);
        ByteVector().swap(copy.before);
        launch_.buffers.push_back(std::move(copy.buffer));
    }
    copies_.clear();
    return std::move(launch_);
}

Snapshot::AddressRanges::AddressRanges() {
    std::FILE* const file = std::fopen("/proc/self/maps", "r");
    if (file == nullptr) return;
    char line[1024];
    while (std::fgets(line, sizeof line, file) != nullptr) {
        unsigned long long begin = 0;
        unsigned long long end = 0;
        char access[5] = "";
        if (std::sscanf(line, "%llx-%llx %4s", &begin, &end, access) == 3)
            ranges_[begin] = {end, access[1] == 'w'};
    }
    std::fclose(file);
}

bool Snapshot::AddressRanges::contain(std::uint64_t address) const {
    return find(address) != nullptr;
}

bool Snapshot::AddressRanges::contain_writable(std::uint64_t address) const {
    const Range* const range = find(address);
    return range != nullptr && range->is_writable;
}

const Snapshot::AddressRanges::Range* Snapshot::AddressRanges::find(std::uint64_t address) const {
    const auto next = ranges_.upper_bound(address);
    if (next == ranges_.begin() || address >= std::prev(next)->second.end) return nullptr;
    return &std::prev(next)->second;
}

std::vector<PointerWord> Snapshot::pointers_in(const ByteVector& bytes) {
    std::vector<PointerWord> found;
    // Addresses of user space, without small integers.
    constexpr std::uint64_t lowest = std::uint64_t{1} << 20;
    constexpr std::uint64_t highest = std::uint64_t{1} << 57;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        if (word < lowest || word >= highest) continue;
        const std::int64_t buffer = buffer_at(word);
        if (buffer >= 0) found.push_back({at, static_cast<std::uint64_t>(buffer)});
    }
    return found;
}

// On GPUs that can read pageable memory of the host, notes parameters that point to it.
void Snapshot::note_pageable(const ByteVector& parameters) {
    const Driver& cuda = driver();
    CuDevice device = 0;
    int reads_pageable = 0;
    if (cuda.context_device(&device) != cu_success ||
        cuda.device_attribute(&reads_pageable, cu_device_pageable_access, device) != cu_success ||
        reads_pageable == 0)
        return;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, parameters.data() + at, sizeof word);
        if (known_buffer_at(word) >= 0 || !ranges_.contain_writable(word)) continue;
        notes_.push_back(fmt::format(
            "the parameter at byte {} is an address of pageable host memory, which is not "
            "captured: if the kernel reads it, allocate it by cudaMallocHost() or cudaMalloc()",
            at));
    }
}

std::int64_t Snapshot::known_buffer_at(std::uint64_t address) const {
    auto next = by_address_.upper_bound(address);
    if (next == by_address_.begin()) return -1;
    --next;
    const Buffer& buffer = copies_[next->second].buffer;
    // The address behind the last byte counts, too: programs use it as the end of a range.
    return address - buffer.address <= buffer.bytes ? static_cast<std::int64_t>(next->second) : -1;
}

std::int64_t Snapshot::buffer_at(std::uint64_t address) {
    const std::int64_t known = known_buffer_at(address);
    if (known >= 0 && address - copies_[static_cast<std::size_t>(known)].buffer.address <
                          copies_[static_cast<std::size_t>(known)].buffer.bytes)
        return known;
    if (queries_left_ == 0 || (skips_unmapped_ && !ranges_.contain(address))) return known;
    --queries_left_;
    unsigned type = 0;
    unsigned managed = 0;
    std::uint64_t start = 0;
    std::uint64_t bytes = 0;
    int names[] = {cu_pointer_memory_type, cu_pointer_is_managed, cu_pointer_range_start,
                   cu_pointer_range_bytes};
    void* values[] = {&type, &managed, &start, &bytes};
    // Succeeds with zeros for a word that is no address.
    if (driver().pointer_attributes(4, names, values, address) != cu_success || type == 0 ||
        bytes == 0 || address < start || address - start >= bytes)
        return known;
    // Variables belong to a larger allocation of their module.
    const auto next = by_address_.upper_bound(start);
    if (next != by_address_.end() && next->first - start < bytes) return known;
    if (next != by_address_.begin()) {
        const Buffer& previous = copies_[std::prev(next)->second].buffer;
        if (start - previous.address < previous.bytes) return known;
    }
    Buffer buffer;
    buffer.kind = managed != 0 ? BufferKind::managed
                  : type == 1  ? BufferKind::host
                               : BufferKind::device;
    buffer.address = start;
    buffer.bytes = bytes;
    if (buffer.kind == BufferKind::managed && !std::exchange(has_managed_, true))
        notes_.emplace_back(
            "managed memory is replayed as memory of the GPU: times do not contain the migration "
            "of pages");
    return add(std::move(buffer));
}

std::int64_t Snapshot::add(Buffer buffer) {
    total_bytes_ += buffer.bytes;
    require_room();
    by_address_[buffer.address] = copies_.size();
    copies_.push_back({std::move(buffer), {}});
    return static_cast<std::int64_t>(copies_.size()) - 1;
}

ByteVector Snapshot::copied(const Buffer& buffer) const {
    ByteVector bytes(buffer.bytes);
    check(driver().copy(reinterpret_cast<CuAddress>(bytes.data()), buffer.address, buffer.bytes,
                        stream_.get()),
          "copying the kernel's memory");
    check(driver().wait_for_stream(stream_.get()), "copying the kernel's memory");
    return bytes;
}

void Snapshot::require_room() const {
    if (total_bytes_ > most_bytes_)
        throw Error(ExitCode::unavailable,
                    fmt::format("the launch can reach {} or more, above the limit of {}: raise it "
                                "by --limit",
                                megabytes(total_bytes_), megabytes(most_bytes_)));
    // Data may be incompressible, and every page may change.
    const std::uint64_t needed = 2 * total_bytes_;
    if (const std::uint64_t memory = available_memory(); needed > memory)
        throw Error(ExitCode::unavailable,
                    fmt::format("the capture needs {} of host memory, and {} are available",
                                megabytes(needed), megabytes(memory)));
    struct statvfs disk {};
    if (statvfs(folder_.c_str(), &disk) != 0) return;
    const std::uint64_t free_bytes = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    if (needed > free_bytes)
        throw Error(ExitCode::unavailable,
                    fmt::format("the capture may need {} in \"{}\", where {} are free: give a "
                                "folder on a larger disk by --out",
                                megabytes(needed), folder_.string(), megabytes(free_bytes)));
}

}  // namespace camber::capture
