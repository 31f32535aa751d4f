#include "harness/capture/replay/executor_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/capture/replay/comparison.hpp"
#include "harness/capture/replay/executor_kernel.hpp"
#include "harness/machine/simt/executor.hpp"
#include "harness/own/host/plain_launch.hpp"

namespace camber::capture {

namespace {

constexpr std::size_t buffer_alignment = 256;

// Memory of a captured launch in this process, with its own addresses.
class HostMemory {
  public:
    HostMemory(const Capture& capture, std::size_t index)
        : launch_(capture.file.launches.at(index)), content_(read_memory(capture, index)) {
        for (std::size_t k = 0; k < launch_.buffers.size(); ++k) {
            const Buffer& buffer = launch_.buffers[k];
            // Alignment of a kernel's accesses is that of the device's addresses.
            const std::size_t shift = buffer.address % buffer_alignment;
            const std::size_t bytes =
                (shift + buffer.bytes + buffer_alignment) / buffer_alignment * buffer_alignment;
            memory_.emplace_back(
                static_cast<unsigned char*>(std::aligned_alloc(buffer_alignment, bytes)),
                std::free);
            if (memory_.back() == nullptr) throw std::bad_alloc();
            begin_.push_back(memory_.back().get() + shift);
        }
        for (std::size_t k = 0; k < begin_.size(); ++k) {
            ByteVector before = content_[k].before;
            patch(launch_.buffers[k].pointers, before);
            std::ranges::copy(before, begin_[k]);
        }
    }

    void patch(const std::vector<PointerWord>& pointers, ByteVector& bytes) const {
        move_addresses(launch_, pointers, begin_, bytes.data());
    }

    const std::vector<BufferContent>& content() const { return content_; }
    const std::vector<unsigned char*>& begins() const { return begin_; }

    ByteVector expected(std::size_t buffer) const {
        ByteVector bytes = content_[buffer].after(launch_.buffers[buffer]);
        patch(launch_.buffers[buffer].pointers, bytes);
        return bytes;
    }

    unsigned char* begin(std::size_t buffer) const { return begin_[buffer]; }

    std::vector<PlainField> fields() const {
        std::vector<PlainField> fields;
        for (std::size_t k = 0; k < begin_.size(); ++k) {
            const Buffer& buffer = launch_.buffers[k];
            if (buffer.kind == BufferKind::variable) continue;
            // Large elements, because a row has fewer than 2^31.
            const int element = buffer.bytes % 16 == 0 ? 16 : buffer.bytes % 4 == 0 ? 4 : 1;
            const std::uint64_t count = buffer.bytes / static_cast<std::uint64_t>(element);
            if (count > INT32_MAX)
                throw Error(ExitCode::unavailable,
                            fmt::format("buffer {} has {} bytes, too many for the executor: use a "
                                        "machine with a GPU",
                                        k, buffer.bytes));
            fields.push_back({fmt::format("buffer {}", k), begin_[k],
                              Layout::make(static_cast<int>(count), 1, 0, 1, element), element});
        }
        return fields;
    }

  private:
    const CapturedLaunch& launch_;
    std::vector<BufferContent> content_;
    std::vector<std::unique_ptr<unsigned char, void (*)(void*)>> memory_;
    std::vector<unsigned char*> begin_;
};

std::vector<ByteTolerance> roundings(const HostMemory& memory, const std::vector<Part>& parts,
                                     const std::vector<Element>& elements) {
    std::vector<ByteTolerance> all;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (elements[k] == Element::bytes) continue;
        const ByteVector expected = memory.expected(parts[k].buffer);
        const std::size_t bytes = element_bytes(elements[k]);
        double largest = 0;
        for (std::uint64_t at = parts[k].begin; at + bytes <= parts[k].end; at += bytes)
            if (const double value = std::abs(value_of(elements[k], expected.data() + at));
                std::isfinite(value))
                largest = std::max(largest, value);
        const double relative = rounding_of(elements[k]);
        all.push_back({parts[k].buffer, parts[k].begin, parts[k].end, elements[k],
                       relative * largest, relative});
    }
    return all;
}

}  // namespace

double rounding_of(Element element) {
    switch (element) {
        case Element::bytes:
            return 0;
        case Element::float16:
            return 4e-3;
        case Element::bfloat16:
            return 3e-2;
        case Element::float32:
            return 1e-5;
        case Element::float64:
            return 1e-13;
    }
    return 0;
}

std::uint64_t changed_bytes(const Capture& capture, std::size_t index) {
    std::uint64_t bytes = 0;
    for (const Buffer& buffer : capture.file.launches.at(index).buffers)
        if (buffer.after) bytes += buffer.after->bytes;
    return bytes;
}

ExecutorRun run_on_executor(const Capture& capture, std::size_t index, const CandidateOrder& order,
                            const std::vector<Part>& parts, const std::vector<Element>& elements,
                            std::chrono::duration<double> limit) {
    const CapturedLaunch& launch = capture.file.launches.at(index);
    const ExecutorKernel kernel(capture, index, order);
    const std::string name = order.file.string();
    ExecutorRun run;
    run.other_parameters = kernel.other_parameters();
    if (!run.other_parameters.empty()) return run;

    const HostMemory memory(capture, index);
    kernel.fill_constants(memory.content(), memory.begins());
    LaunchArguments arguments = kernel.arguments(memory.begins());
    const CandidateLaunchShape& shape = kernel.shape();
    const bool cooperative = kernel.cooperative();
    const auto extent = [](const Dimensions& d) { return simt::Extent3{d[0], d[1], d[2]}; };
    PlainLaunch plain(kernel.library(), memory.fields(), shape.shared_bytes, limit, cooperative);
    const auto begin = std::chrono::steady_clock::now();
    {
        constexpr std::chrono::hours unlimited{1000};
        const CandidateActivity running(CandidateWork::running, name, unlimited);
        simt::Executor executor;
        executor.run(
            {name, extent(shape.grid), extent(shape.block), shape.shared_bytes, cooperative},
            [&] { plain.run_thread(kernel.library().kernel(0), arguments.pointers.data()); });
    }
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const std::vector<ByteTolerance> tolerances = roundings(memory, parts, elements);
    for (std::size_t k = 0; k < launch.buffers.size(); ++k) {
        if (launch.buffers[k].kind == BufferKind::variable) continue;
        compare(
            k, memory.expected(k), {memory.begin(k), launch.buffers[k].bytes}, tolerances,
            [](std::uint64_t, std::uint64_t) { return false; }, run.difference);
    }
    return run;
}

}  // namespace camber::capture
