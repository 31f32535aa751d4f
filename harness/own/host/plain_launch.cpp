#include "harness/own/host/plain_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/poison.hpp"
#include "harness/machine/simt/access.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber {

namespace {

using simt::FaultKind;
using simt::Operation;
using simt::Space;

// Addresses within this distance of the current frame are on the fiber's stack.
constexpr std::uintptr_t stack_reach = 256 * 1024;

// Launch and block that run on a CPU thread.
struct Busy {
    PlainLaunch* launch = nullptr;
    std::uint64_t block_epoch = 0;
    std::uintptr_t shared_begin = 0;
    std::uintptr_t dynamic_shared = 0;
    std::chrono::steady_clock::time_point block_start;
    std::uint32_t branches = 0;
    simt::ThreadContext** current = nullptr;  // the CPU thread's simt::current
    // Lane that was looked up last, and its thread; nullptr: none.
    LoopPath* lane = nullptr;
    const simt::ThreadContext* thread_of_lane = nullptr;
};
// Every load, store and branch of a kernel reads it. Its address is an offset of the thread
// pointer, also in a shared library: calls of __tls_get_addr took an eighth of a check's time.
__attribute__((tls_model("initial-exec"))) constinit thread_local Busy busy;

std::int64_t elements_of(const std::vector<std::int64_t>& shape) {
    std::int64_t elements = shape.empty() ? 0 : 1;
    for (const std::int64_t extent : shape) elements *= extent;
    return elements;
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

}  // namespace

PlainLaunch::PlainLaunch(const HostLibrary& library, std::vector<PlainField> fields,
                         std::size_t dynamic_shared, std::chrono::duration<double> limit,
                         bool cooperative)
    : library_(library),
      constant_begin_(library.base() + library.image().constant_address),
      constant_end_(constant_begin_ + library.image().constant_bytes),
      dynamic_shared_(dynamic_shared),
      limit_(limit),
      cooperative_(cooperative) {
    for (PlainField& field : fields) {
        const auto begin = reinterpret_cast<std::uintptr_t>(field.base);
        const bool known =
            std::ranges::any_of(ranges_, [&](const Range& range) { return range.begin == begin; });
        if (known) continue;
        const auto size = static_cast<std::uintptr_t>(field.element_size);
        ranges_.push_back({begin,
                           begin + field.layout.elements() * size,
                           {nullptr, field.layout,
                            reinterpret_cast<const void*>(
                                begin + static_cast<std::uintptr_t>(field.layout.origin()) * size),
                            field.element_size},
                           std::move(field.name),
                           elements_of(field.shape)});
    }
    for (Range& range : ranges_) range.field.name = range.name.c_str();
    constant_.name = "constant memory";
    constant_.layout = Layout::make(static_cast<int>(library.image().constant_bytes), 1, 0, 1, 1);
    constant_.origin = reinterpret_cast<const void*>(constant_begin_);
    constant_.element_size = 1;
}

void PlainLaunch::run_thread(const CamberKernel& kernel, void** arguments) {
    if (busy.launch != this || busy.block_epoch != simt::current->block_epoch) enter_block();
    if (simt::current->recording) {
        const std::uint32_t lane = simt::linear_thread();
        if (lane >= lanes_.size()) lanes_.resize(simt::current->block_size.count());
        lanes_[lane].begin();
        busy.lane = &lanes_[lane];
        busy.thread_of_lane = simt::current;
    }
    kernel.call(arguments);
}

// Restores the block's shared memory, or poisons it when the block starts.
void PlainLaunch::enter_block() {
    const std::size_t bytes = library_.image().thread_local_bytes;
    const bool turns = cooperative_ && busy.launch == this;
    busy.launch = nullptr;  // ignore instrumentation calls until all is set
    busy.current = &simt::current;
    busy.thread_of_lane = nullptr;  // lanes_ may be exchanged
    const auto shared_begin = library_.shared_begin();
    auto* const shared = reinterpret_cast<std::byte*>(shared_begin);
    if (turns) resting_[busy.block_epoch] = {{shared, shared + bytes}, std::exchange(lanes_, {})};
    busy.block_epoch = simt::current->block_epoch;
    busy.shared_begin = shared_begin;
    busy.dynamic_shared = library_.dynamic_shared();
    busy.block_start = std::chrono::steady_clock::now();
    if (const auto resting = resting_.find(busy.block_epoch); resting != resting_.end()) {
        std::ranges::copy(resting->second.shared, shared);
        lanes_ = std::move(resting->second.lanes);
    } else {
        std::memset(shared, shared_poison, bytes);
    }
    busy.launch = this;
}

LoopPath& PlainLaunch::lane() {
    if (busy.thread_of_lane != *busy.current) {
        busy.thread_of_lane = *busy.current;
        busy.lane = &lanes_[simt::linear_thread()];
    }
    return *busy.lane;
}

void PlainLaunch::grid_barrier(void* pc) {
    if (!cooperative_)
        simt::report_fault(FaultKind::barrier,
                           "waits for the whole grid in a launch that is not cooperative: write "
                           "cooperative=yes in the camber: line",
                           place(pc));
    simt::grid_barrier(place(pc));
    // Other blocks have run in the meantime.
    if (busy.block_epoch != simt::current->block_epoch) enter_block();
}

PlainLaunch::Target PlainLaunch::in_field(const Range& range, std::uintptr_t address,
                                          std::size_t size, void* pc) const {
    const Layout& layout = range.field.layout;
    const std::int64_t element = range.field.element_size;
    if (address % size != 0) [[unlikely]]
        simt::report_misaligned(reinterpret_cast<const void*>(address), size, range.field.name,
                                place(pc));
    if (range.elements > 0) {
        // Contiguous, without padding; the allocation ends with the array.
        if (address + size > range.begin + static_cast<std::uintptr_t>(range.elements * element))
            report_nowhere(address, size, pc);
        return {Space::global, &range.field, reinterpret_cast<const void*>(address), true};
    }
    // Relative to the first halo cell of row 0.
    const auto origin = reinterpret_cast<std::uintptr_t>(range.field.origin);
    const std::int64_t byte = static_cast<std::int64_t>(address - origin) + layout.halo * element;
    const std::int64_t row = floor_of(byte, layout.pitch * element);
    const std::int64_t in_row = byte - row * layout.pitch * element;
    const std::int64_t last =
        (in_row + static_cast<std::int64_t>(size) - 1) / element - layout.halo;
    if (row < -layout.halo || row >= layout.rows + layout.halo ||
        last >= layout.columns + layout.halo) [[unlikely]]
        simt::report_outside_grid(range.field.name, static_cast<int>(row), static_cast<int>(last),
                                  layout, place(pc));
    return {Space::global, &range.field, reinterpret_cast<const void*>(address), true};
}

std::optional<std::uintptr_t> PlainLaunch::offset_in_shared(std::uintptr_t address) const {
    const std::uintptr_t offset = address - busy.shared_begin;
    if (offset >= library_.image().thread_local_bytes) return std::nullopt;
    return offset;
}

PlainLaunch::Target PlainLaunch::in_shared(std::uintptr_t address, std::size_t size,
                                           void* pc) const {
    const std::uintptr_t offset = address - busy.shared_begin;
    if (address % size != 0)
        simt::report_misaligned(reinterpret_cast<const void*>(address), size, "shared memory",
                                place(pc));
    const CodeSymbol* const variable = symbol_at(library_.image().thread_local_variables, offset);
    if (address >= busy.dynamic_shared) {
        const std::uintptr_t from = address - busy.dynamic_shared;
        const bool among_static = variable != nullptr;
        if (!among_static && from + size > dynamic_shared_)
            simt::report_fault(FaultKind::out_of_bounds,
                               fmt::format("accesses byte {} of the launch's dynamic shared "
                                           "memory, which has {}: write shared= in the camber: "
                                           "line",
                                           from + size - 1, dynamic_shared_),
                               place(pc));
    } else if (!variable || offset + size > variable->address + variable->size) {
        const auto& all = library_.image().thread_local_variables;
        const auto after = std::ranges::upper_bound(all, offset, {}, &CodeSymbol::address);
        const std::string name =
            after == all.begin() ? std::string("?") : plain_name(std::prev(after)->name);
        simt::report_fault(FaultKind::out_of_bounds,
                           fmt::format("accesses shared memory beyond the end of `{}`", name),
                           place(pc));
    }
    return {Space::shared, nullptr, simt::block_shared_memory() + offset, true};
}

void PlainLaunch::report_nowhere(std::uintptr_t address, std::size_t size, void* pc) const {
    // Nearest field.
    const Range* nearest = nullptr;
    std::uintptr_t distance = ~std::uintptr_t{0};
    for (const Range& range : ranges_) {
        const std::uintptr_t here =
            address < range.begin ? range.begin - address : address - range.end + 1;
        if (here >= distance) continue;
        distance = here;
        nearest = &range;
    }
    constexpr std::uintptr_t near = std::uintptr_t{1} << 30;
    const std::string where =
        nearest && distance < near
            ? fmt::format("{} byte{} {} of field `{}`", distance, distance == 1 ? "" : "s",
                          address < nearest->begin ? "before the start" : "behind the last byte",
                          nearest->name)
            : std::string("in none of its fields");
    simt::report_fault(FaultKind::out_of_bounds,
                       fmt::format("accesses {} bytes at an address {}", size, where), place(pc));
}

PlainLaunch::Target PlainLaunch::target_of(std::uintptr_t address, std::size_t size,
                                           void* pc) const {
    for (const Range& range : ranges_)
        if (address >= range.begin && address + size <= range.end)
            return in_field(range, address, size, pc);
    if (const auto shared_offset = offset_in_shared(address)) {
        // The compiler's flags for arrays of structures are no variables of the kernel. A block's
        // poison marks such an array as constructed.
        const auto& variables = library_.image().thread_local_variables;
        const CodeSymbol* const variable = symbol_at(variables, *shared_offset);
        if (variable && variable->name.starts_with("_ZGV")) return {};
        return in_shared(address, size, pc);
    }
    if (address >= constant_begin_ && address + size <= constant_end_)
        return {Space::constant, &constant_, reinterpret_cast<const void*>(address), true};
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (address - (here - stack_reach) < 2 * stack_reach) return {};
    if (address >= library_.base() && address < library_.base() + library_.image().end) return {};
    report_nowhere(address, size, pc);
}

void PlainLaunch::access(const volatile void* address, std::size_t size, Operation operation,
                         void* pc, unsigned piece) {
    const Target target = target_of(reinterpret_cast<std::uintptr_t>(address), size, pc);
    if ((*busy.current)->recording && target.recorded) [[unlikely]]
        record(target, size, operation, pc, piece);
}

void PlainLaunch::record(const Target& target, std::size_t size, Operation operation, void* pc,
                         unsigned piece) {
    LoopPath& lane = this->lane();
    const std::uint64_t site = simt::joined_hash(
        simt::joined_hash((*busy.current)->path, reinterpret_cast<std::uintptr_t>(pc)),
        3 * piece + static_cast<unsigned>(operation));
    const std::uint64_t iteration = lane.iteration();
    const std::uint32_t count = lane.count(simt::joined_hash(site, iteration));
    simt::record_visit({.address = target.address,
                        .size = size,
                        .operation = operation,
                        .space = target.space,
                        .field = target.field,
                        .occurrence = visits_.number(site, simt::joined_hash(iteration, count))},
                       library_.place(pc, piece).location());
}

void PlainLaunch::enter(void* caller, void* pc) {
    simt::ThreadContext& thread = **busy.current;
    if (!thread.recording) return;
    LoopPath& lane = this->lane();
    const simt::SiteId outer = thread.path;
    if (lane.inside()) thread.path = simt::path_through(place(caller));
    lane.enter(library_.function_of(pc), outer);
}

void PlainLaunch::leave() {
    simt::ThreadContext& thread = **busy.current;
    if (!thread.recording) return;
    LoopPath& lane = this->lane();
    if (lane.inside()) thread.path = lane.leave();
}

void PlainLaunch::branch(void* pc) {
    constexpr std::uint32_t between_looks = 1 << 12;
    if (++busy.branches % between_looks == 0) check_time(pc);
    if ((*busy.current)->recording)
        lane().branch(reinterpret_cast<std::uintptr_t>(pc), library_.function_of(pc), loop_ends_);
}

void PlainLaunch::check_time(void* pc) {
    const auto taken = std::chrono::steady_clock::now() - busy.block_start;
    if (taken <= limit_) return;
    try {
        simt::report_fault(FaultKind::barrier, "", place(pc));
    } catch (const simt::KernelFault& fault) {
        // The message contains launch, block, thread and source location.
        std::string sentence = fault.what();
        const std::size_t gap = sentence.rfind(":  [");
        sentence.replace(gap, 2,
                         fmt::format(": its block has run for {:.3g} s and has not ended: mend the "
                                     "loop, or give more time with --timeout",
                                     limit_.count()));
        throw Error(ExitCode::wrong_result, sentence);
    }
}

// ---- functions that compiled kernels call
struct PlainCalls {
    static PlainLaunch& launch() { return *busy.launch; }
    // True outside of launches, for example while the library is loaded.
    static bool idle() { return busy.launch == nullptr || *busy.current == nullptr; }

    static void access(const volatile void* address, unsigned long size, int operation, void* pc) {
        if (idle()) return;
        launch().access(address, size, static_cast<Operation>(operation), pc, 0);
    }
    static void range(const volatile void* address, unsigned long size, int operation, void* pc) {
        if (idle()) return;
        const auto start = reinterpret_cast<std::uintptr_t>(address);
        const unsigned long step = start % 4 == 0 && size % 4 == 0 ? 4 : 1;
        const auto* const bytes = static_cast<const volatile char*>(address);
        unsigned piece = 0;
        for (unsigned long at = 0; at < size; at += step)
            launch().access(bytes + at, step, static_cast<Operation>(operation), pc, piece++);
    }
    static void branch(void* pc) {
        if (!idle()) launch().branch(pc);
    }
    static void enter(void* caller, void* pc) {
        if (!idle()) launch().enter(caller, pc);
    }
    static void leave() {
        if (!idle()) launch().leave();
    }
    static void block_barrier(void* pc) { simt::block_barrier(launch().place(pc)); }
    static unsigned long exchange(int operation, unsigned mask, unsigned long value, int lane,
                                  void* pc) {
        return simt::warp_exchange(static_cast<simt::WarpOperation>(operation), mask, value, lane,
                                   launch().place(pc));
    }
    static int lane() { return simt::lane(); }
    static unsigned existing_lanes() { return simt::existing_lanes(); }
    static const unsigned (*thread())[3] {
        static_assert(sizeof(simt::Index3) == 12 && sizeof(simt::Extent3) == 12);
        return reinterpret_cast<const unsigned(*)[3]>(&simt::current->thread);
    }
    static void fetch(unsigned long long texture, long row, long column, unsigned size, void* value,
                      void* pc) {
        launch().fetch(*reinterpret_cast<const PlainTexture*>(texture), row, column, size, value,
                       pc);
    }
    static void grid_barrier(void* pc) { launch().grid_barrier(pc); }
    static void piece(const volatile void* address, unsigned long size, int operation, void* pc,
                      unsigned index) {
        launch().access(address, size, static_cast<Operation>(operation), pc, index);
    }
    static void copy_async(void* to, const void* from, unsigned long size, unsigned long zeros,
                           void* pc) {
        launch().copy_async(to, from, size, zeros, pc);
    }
    static void copies(int operation, unsigned long pending) {
        launch().commit_or_wait(operation, pending);
    }
    static unsigned long barrier(int operation, const void* barrier, unsigned long value,
                                 unsigned long bytes, void* pc) {
        return launch().barrier(operation, barrier, value, bytes, pc);
    }
    static void bulk_copy(void* to, const void* from, unsigned long size, const void* barrier,
                          void* pc) {
        launch().bulk_copy(to, from, size, barrier, pc);
    }
    static void trap(void* pc) {
        simt::report_fault(FaultKind::launch, "calls __trap()", launch().place(pc));
    }
};

const CamberHost& PlainLaunch::host() {
    static constexpr CamberHost calls{
        &PlainCalls::access,       &PlainCalls::range,   &PlainCalls::branch,
        &PlainCalls::enter,        &PlainCalls::leave,   &PlainCalls::block_barrier,
        &PlainCalls::exchange,     &PlainCalls::lane,    &PlainCalls::existing_lanes,
        &PlainCalls::thread,       &PlainCalls::fetch,   &PlainCalls::trap,
        &PlainCalls::grid_barrier, &PlainCalls::piece,   &PlainCalls::copy_async,
        &PlainCalls::copies,       &PlainCalls::barrier, &PlainCalls::bulk_copy};
    return calls;
}

}  // namespace camber
