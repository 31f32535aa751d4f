#include "harness/predict/access_checker.hpp"

#include <fmt/format.h>

#include "harness/base/process.hpp"
#include "harness/predict/shadow.hpp"

namespace camber {

namespace {

// Bytes of shadow reserved for each block's shared memory if blocks take turns: all blocks of a
// cooperative launch, or the blocks of one cluster.
constexpr std::uintptr_t shared_stride = 256 * 1024;
static_assert(shared_stride >= simt::block_shared_limit && shared_stride % ShadowPage::bytes == 0);

// States of a byte of global memory. For a byte of shared memory, the state is the number of the
// block that wrote it last.
constexpr std::uint32_t unwritten = 0;
constexpr std::uint32_t written_state = 1;

const char* verb(Operation operation) {
    switch (operation) {
        case Operation::load:
            return "loads";
        case Operation::store:
            return "stores";
        case Operation::atomic:
            return "updates atomically";
    }
    return "";
}

std::string name_index(const simt::Index3& index) {
    return index.z == 0 ? fmt::format("({},{})", index.x, index.y)
                        : fmt::format("({},{},{})", index.x, index.y, index.z);
}

// Quotient rounded down; the divisor must be positive.
std::int64_t floor_of(std::int64_t dividend, std::int64_t divisor) {
    return dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor);
}

std::string name_address(const simt::Access& access) {
    if (is_shared(access.space))
        return fmt::format("byte {} of shared memory", number(access.address));
    const Layout& layout = access.field->layout;
    const std::int64_t bytes = static_cast<std::int64_t>(number(access.address)) -
                               static_cast<std::int64_t>(number(access.field->origin));
    // Counted from the first halo cell of row 0.
    const std::int64_t index = floor_of(bytes, access.field->element_size) + layout.halo;
    const std::int64_t row = floor_of(index, layout.pitch);
    return fmt::format("row {}, column {} of field `{}`", row,
                       index - row * layout.pitch - layout.halo, access.field->name);
}

simt::Index3 index_in(std::uint32_t linear, const simt::Extent3& extent) {
    return {linear % extent.x, linear / extent.x % extent.y, linear / extent.x / extent.y};
}

FindingKind kind_of(simt::FaultKind fault) {
    switch (fault) {
        case simt::FaultKind::out_of_bounds:
            return FindingKind::out_of_bounds;
        case simt::FaultKind::misaligned:
            return FindingKind::misaligned;
        case simt::FaultKind::barrier:
        case simt::FaultKind::collective:
            return FindingKind::barrier;
        case simt::FaultKind::cluster:
            return FindingKind::cluster;
        case simt::FaultKind::bulk_copy:
            return FindingKind::bulk_copy;
        case simt::FaultKind::launch:
        case simt::FaultKind::shared_memory:
            return FindingKind::launch;
    }
    return FindingKind::launch;
}

}  // namespace

AccessChecker::AccessChecker(int examples)
    : examples_(examples), global_(written_state), shared_(unwritten) {}

void AccessChecker::begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) {
    sites_ = &sites;
    grid_ = launch.grid;
    block_ = launch.block;
    cluster_ = launch.cluster;
    cooperative_ = launch.cooperative;
    grid_barrier();
    launch_block_ = first_block_;
    copies_.begin_launch();
}

std::uint32_t AccessChecker::linear_block(const simt::Index3& block) const {
    return block.x + grid_.x * (block.y + grid_.y * block.z);
}

std::uint32_t AccessChecker::linear_cluster(const simt::Index3& block) const {
    if (cluster_.count() == 1) return linear_block(block);
    const simt::Extent3 clusters{grid_.x / cluster_.x, grid_.y / cluster_.y, grid_.z / cluster_.z};
    return block.x / cluster_.x +
           clusters.x * (block.y / cluster_.y + clusters.y * (block.z / cluster_.z));
}

simt::Index3 AccessChecker::block_of(std::uint32_t linear_cluster, const Mark& mark) const {
    const simt::Extent3 clusters{grid_.x / cluster_.x, grid_.y / cluster_.y, grid_.z / cluster_.z};
    const simt::Index3 at = index_in(linear_cluster, clusters);
    const simt::Index3 inside = index_in(mark.thread / Mark::threads_of_block, cluster_);
    return {at.x * cluster_.x + inside.x, at.y * cluster_.y + inside.y,
            at.z * cluster_.z + inside.z};
}

std::uint16_t AccessChecker::thread_of_cluster(const simt::Index3& block,
                                               std::uint32_t thread) const {
    return static_cast<std::uint16_t>(
        simt::rank_in_cluster(block, cluster_) * Mark::threads_of_block + thread);
}

void AccessChecker::end_block(const simt::Index3& block) {
    if (!cooperative_) copies_.end_block(linear_block(block));
    check_stop();
}

void AccessChecker::grid_barrier() {
    first_block_ = next_block_;
    next_block_ += static_cast<std::uint32_t>(grid_.count());
}

void AccessChecker::record(const simt::Access& access) {
    // Nothing writes constant memory while kernels run.
    if (access.space == Space::constant) return;
    const std::uint32_t linear = linear_block(access.block);
    const bool shared = is_shared(access.space);
    const Mark mark{.block = (shared ? launch_block_ : first_block_) + linear_cluster(access.block),
                    .cluster_barrier = access.cluster_barrier,
                    .barrier = access.barrier,
                    .warp_sync = access.warp_sync,
                    .site = access.site,
                    .thread = thread_of_cluster(access.block, access.thread),
                    .operation = access.operation};
    const std::uint32_t part = cooperative_ ? linear : access.owner;
    const std::uintptr_t address = number(access.address) + (shared ? part * shared_stride : 0);
    const std::size_t offset = address % ShadowPage::bytes;
    ShadowPage& page = (shared ? shared_ : global_).page_of(address);
    const std::uint32_t written = shared ? mark.block : written_state;

    if (access.space == Space::shared) {
        const auto offset_in_block = static_cast<std::uint32_t>(number(access.address));
        if (const auto writer = copies_.hidden(linear, offset_in_block, access.size, mark))
            report_race_with_copy(*writer, mark, access.block, offset_in_block);
    }
    // Shared memory belongs to one block, or to one cluster.
    if (const auto earlier =
            page.touch(offset, access.size, mark, shared ? mark.block : first_block_))
        report_race(*earlier, mark, access);
    if (access.operation != Operation::store && !page.all_written(offset, access.size, written))
        report_unwritten(mark, access);
    if (access.operation != Operation::load) page.set_written(offset, access.size, written);
}

// A copy barrier is also a variable: a store initializes it, then many threads use it at once.
void AccessChecker::copy(const simt::CopyEvent& event) {
    using Kind = simt::CopyEvent::Kind;
    const std::uint32_t linear = linear_block(event.block);
    if (event.kind == Kind::awaited) return copies_.awaited(linear, event);
    const bool begins = event.kind == Kind::begun;
    const Mark mark{.block = launch_block_ + linear_cluster(event.block),
                    .cluster_barrier = event.cluster_barrier,
                    .barrier = event.barrier,
                    .warp_sync = event.warp_sync,
                    .site = event.site,
                    .thread = thread_of_cluster(event.block, event.thread),
                    .operation = event.kind == Kind::used ? Operation::atomic : Operation::store};
    const std::uint32_t offset = begins ? event.offset : event.copy_barrier;
    const std::uint32_t size = begins ? event.size : sizeof(std::uint64_t);
    auto earlier = copies_.hidden(linear, offset, size, mark);
    const std::uint32_t part = cooperative_ ? linear : simt::rank_in_cluster(event.block, cluster_);
    shared_.each_part(offset + part * shared_stride, size,
                      [&](ShadowPage& page, std::size_t at, std::size_t bytes) {
                          const auto found = begins ? page.hand_over(at, bytes, mark, mark.block)
                                                    : page.touch(at, bytes, mark, mark.block);
                          if (!earlier) earlier = found;
                          page.set_written(at, bytes, mark.block);
                      });
    if (earlier) report_race_with_copy(*earlier, mark, event.block, offset);
    if (begins) copies_.begin(linear, event, mark);
}

Finding& AccessChecker::finding(const Key& key) {
    const auto [place, added] = index_.emplace(key, findings_.size());
    if (added) {
        const auto& [kind, first, second, first_operation, second_operation] = key;
        const auto describe_access = [&](simt::SiteId site, Operation operation) {
            return fmt::format("{} at {}", noun(operation), sites_->describe(site));
        };
        Finding found;
        found.kind = kind;
        found.sites = describe_access(second, second_operation);
        const bool called = (*sites_)[second].outer != simt::no_site;
        if (called) found.paths = sites_->describe_with_path(second);
        if (first != simt::no_site) {
            found.sites = describe_access(first, first_operation) + ", then " + found.sites;
            if (called || (*sites_)[first].outer != simt::no_site)
                found.paths = fmt::format("{}, then {}", sites_->describe_with_path(first),
                                          sites_->describe_with_path(second));
        }
        findings_.push_back(std::move(found));
    }
    return findings_[place->second];
}

std::string AccessChecker::name_thread(std::uint32_t thread) const {
    return "thread " + name_index(index_in(thread % Mark::threads_of_block, block_));
}

void AccessChecker::report_race_with_copy(const Mark& earlier, const Mark& mark,
                                          const simt::Index3& block, std::uint32_t offset) {
    Finding& found = finding(
        {FindingKind::copy_race, earlier.site, mark.site, earlier.operation, mark.operation});
    ++found.count;
    if (static_cast<int>(found.examples.size()) >= examples_) return;
    found.examples.push_back(
        {fmt::format("block {}: {} {}, {} {}", name_index(block), name_thread(earlier.thread),
                     verb(earlier.operation), name_thread(mark.thread), verb(mark.operation)),
         fmt::format("byte {} of shared memory", offset)});
}

void AccessChecker::report_race(const Mark& earlier, const Mark& mark, const simt::Access& access) {
    const bool shared = is_shared(access.space);
    const bool same_block = earlier.block == mark.block && earlier.same_block(mark);
    const FindingKind kind = shared       ? FindingKind::shared_race
                             : same_block ? FindingKind::global_race
                                          : FindingKind::block_race;
    Finding& found = finding({kind, earlier.site, mark.site, earlier.operation, mark.operation});
    ++found.count;
    if (static_cast<int>(found.examples.size()) >= examples_) return;
    const std::string block = "block " + name_index(access.block);
    const auto first = fmt::format("{} {}", name_thread(earlier.thread), verb(earlier.operation));
    const auto second = fmt::format("{} {}", name_thread(mark.thread), verb(mark.operation));
    found.examples.push_back(
        {same_block
             ? fmt::format("{}: {}, {}", block, first, second)
             : fmt::format("block {} {}, {} {}",
                           name_index(block_of(
                               earlier.block - (shared ? launch_block_ : first_block_), earlier)),
                           first, block, second),
         name_address(access)});
}

void AccessChecker::report_unwritten(const Mark& mark, const simt::Access& access) {
    const FindingKind kind =
        is_shared(access.space) ? FindingKind::unwritten_shared : FindingKind::unwritten_global;
    Finding& found = finding({kind, simt::no_site, mark.site, Operation::load, mark.operation});
    ++found.count;
    if (static_cast<int>(found.examples.size()) >= examples_) return;
    found.examples.push_back({fmt::format("block {}: {} {}", name_index(access.block),
                                          name_thread(mark.thread), verb(mark.operation)),
                              name_address(access)});
}

void AccessChecker::add(const simt::KernelFault& fault) {
    Finding found;
    found.kind = kind_of(fault.kind());
    found.count = 1;
    found.sentence = fault.what();
    findings_.push_back(std::move(found));
}

void AccessChecker::set_state(const void* memory, std::size_t pitch, Rectangle shape,
                              std::uint32_t state) {
    for (std::size_t row = 0; row < shape.rows; ++row)
        global_.each_part(number(memory) + row * pitch, shape.width,
                          [&](ShadowPage& page, std::size_t offset, std::size_t size) {
                              page.set_written(offset, size, state);
                          });
}

void AccessChecker::allocated(const void* memory, std::size_t bytes) {
    set_state(memory, bytes, {bytes, 1}, unwritten);
    sizes_[number(memory)] = bytes;
}

// The next allocation at this address reports itself; otherwise the address is not the queue's.
void AccessChecker::released(const void* memory) noexcept {
    const auto size = sizes_.find(number(memory));
    if (size == sizes_.end()) return;
    set_state(memory, size->second, {size->second, 1}, written_state);
    sizes_.erase(size);
}

void AccessChecker::written(const void* memory, std::size_t pitch, Rectangle shape) {
    set_state(memory, pitch, shape, written_state);
}

void AccessChecker::poisoned(const ByteArea& area) {
    for (std::size_t row = 0; row < area.rows; ++row)
        set_state(static_cast<const std::byte*>(area.first) + row * area.pitch, area.stride,
                  {area.width, area.pieces}, unwritten);
    if (area.output) outputs_.push_back(area);
}

void AccessChecker::check_outputs(const std::string& when) {
    for (const ByteArea& area : outputs_) {
        const auto size = static_cast<std::size_t>(info(area.element).size);
        const std::size_t in_piece = area.width / size;
        for (std::size_t row = 0; row < area.rows; ++row)
            for (std::size_t column = 0; column < area.pieces * in_piece; ++column) {
                const std::uintptr_t address = number(area.first) + row * area.pitch +
                                               column / in_piece * area.stride +
                                               column % in_piece * size;
                bool written = true;
                global_.each_part(
                    address, size, [&](ShadowPage& page, std::size_t offset, std::size_t bytes) {
                        written = written && page.all_written(offset, bytes, written_state);
                    });
                if (!written) report_output(area, row, column, when);
            }
    }
    outputs_.clear();
}

void AccessChecker::report_output(const ByteArea& area, std::size_t row, std::size_t column,
                                  const std::string& when) {
    const auto [known, added] = output_index_.emplace(area.output, findings_.size());
    if (added) {
        Finding& found = findings_.emplace_back();
        found.kind = FindingKind::unwritten_output;
        found.sites = fmt::format("field `{}`", area.output);
    }
    Finding& found = findings_[known->second];
    ++found.count;
    if (static_cast<int>(found.examples.size()) < examples_)
        found.examples.push_back(
            {when, fmt::format("row {}, column {} of field `{}`", row, column, area.output)});
}

void AccessChecker::copied(const void* to, const void* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
        const std::uintptr_t source = number(from) + i;
        const std::uintptr_t target = number(to) + i;
        const std::uint32_t state = global_.page_of(source).written(source % ShadowPage::bytes);
        global_.page_of(target).set_written(target % ShadowPage::bytes, 1, state);
    }
}

}  // namespace camber
