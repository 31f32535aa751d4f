// A pass over an array in host memory: each part is uploaded, computed and downloaded again, on one
// of several streams.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "harness/machine/kernel/vocabulary.hpp"
#include "harness/registry/execution.hpp"
#include "workloads/transfer/transfer_overlap/map.hpp"

CAMBER_WORKLOAD_BEGIN(transfer_overlap)

inline constexpr int block_threads = 256;

// Order in which the host issues the work of several streams (Rustico 2012, Listings 3.1, 3.2).
enum class Issue {
    breadth_first,  // all uploads, then all kernels, then all downloads
    depth_first,    // upload, kernel and download of one stream, then those of the next
};

enum class HostMemory { pinned, pageable };

// Work of a pass.
struct Pass {
    Issue issue = Issue::breadth_first;
    HostMemory memory = HostMemory::pinned;
    int streams = 1;
    bool uploads = false;
    bool computes = false;
    bool downloads = false;
};

template <class T>
__global__ void map_kernel(const Grid<const T> input, const Grid<T> x, const int repeats) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= x.columns()) return;
    const T before = x(0, column);
    const T operand = input(0, column);
    x(0, column) = mapped(before, operand, repeats);
}

// Host memory for `count` elements.
class HostArray {
  public:
    HostArray(Queue& queue, HostMemory memory, std::size_t count) {
        if (count == 0) return;
        if (memory == HostMemory::pinned)
            pinned_ = PinnedMemory(queue, count * sizeof(float));
        else
            pageable_ = std::make_unique<float[]>(count);
    }
    float* data() const { return pageable_ ? pageable_.get() : static_cast<float*>(pinned_.get()); }

  private:
    PinnedMemory pinned_;
    std::unique_ptr<float[]> pageable_;
};

// Execution of passes. The input is on the host and, unless every pass uploads it, on the device.
// The values stay on the device; a pass that downloads copies them to the host.
//
// A pass without a kernel computes when its result is requested, so that its transfers are verified
// like all others: the kernels then use the input that it uploaded, or the values that it
// downloaded.
class PassExecution : public Execution {
  public:
    PassExecution(Queue& queue, const Problem& problem, const Pass& pass)
        : queue_(queue),
          pass_(pass),
          repeats_(repeats_of(problem.parameters)),
          count_(static_cast<std::size_t>(problem.size.cells())),
          input_(queue, count_ * sizeof(float)),
          x_(queue, count_ * sizeof(float)),
          host_input_(queue, pass.memory, pass.uploads ? count_ : 0),
          host_x_(queue, pass.memory, pass.downloads ? count_ : 0),
          begun_(queue.make_event()) {
        for (int s = 0; s < pass.streams; ++s)
            streams_.push_back({queue.open_beside(), queue.make_event()});
    }
    ~PassExecution() override {
        // Memory may be freed only after all work on it has finished.
        for (const Stream& stream : streams_) finish(*stream.queue);
        finish(queue_);
    }

    void upload(const State& initial) override {
        queue_.synchronize();
        const auto input = initial.field(input_field).cells<float>();
        if (pass_.uploads) std::copy(input.begin(), input.end(), host_input_.data());
        queue_.upload(input_.get(), bytes(), input.data(), bytes(), {bytes(), 1});
        queue_.upload(x_.get(), bytes(), initial.field(value_field).cells<float>().data(), bytes(),
                      {bytes(), 1});
        on_host_ = false;
        fresh_ = true;
    }

    void download(State& result) override {
        queue_.synchronize();
        const auto x = result.field(value_field).cells<float>();
        compute_missing();
        if (on_host_)
            std::copy_n(host_x_.data(), count_, x.data());
        else
            queue_.download(x.data(), bytes(), x_.get(), bytes(), {bytes(), 1});
        queue_.download(result.field(input_field).cells<float>().data(), bytes(), input_.get(),
                        bytes(), {bytes(), 1});
    }

    // Poisons the outputs of transfers; the values are computed in place.
    void poison(Poison poison) override {
        queue_.synchronize();
        if (pass_.uploads) {
            const ByteArea all{.first = input_.get(),
                               .pitch = bytes(),
                               .rows = 1,
                               .width = bytes(),
                               .element = ElementType::float32,
                               .output = input_field};
            queue_.poison({&all, 1}, poison);
        }
        if (pass_.downloads)
            fill_with_poison(std::as_writable_bytes(std::span(host_x_.data(), count_)),
                             ElementType::float32, poison);
    }

    void advance(int generations) override {
        if (fresh_) missing_ = 0;
        fresh_ = false;
        for (int done = 0; done < generations; ++done) enqueue_pass();
        if (!pass_.computes) missing_ += generations;
        on_host_ = pass_.downloads;
    }

  protected:
    // Makes the streams start after the work before the pass; join() makes the work after the pass
    // wait for the streams. Tests omit one of the two.
    virtual void fork() {
        queue_.record(*begun_);
        for (const Stream& stream : streams_) stream.queue->wait(*begun_);
    }
    virtual void join() {
        for (const Stream& stream : streams_) {
            stream.queue->record(*stream.ended);
            queue_.wait(*stream.ended);
        }
    }

  private:
    struct Stream {
        std::unique_ptr<Queue> queue;
        std::unique_ptr<Event> ended;
    };
    enum class Piece { upload, kernel, download };
    static constexpr Piece pieces[] = {Piece::upload, Piece::kernel, Piece::download};

    static void finish(Queue& queue) noexcept {
        try {
            queue.synchronize();
        } catch (...) {  // reported at a previous wait, or the device is lost
        }
    }

    void enqueue_pass() {
        fork();
        if (pass_.issue == Issue::breadth_first) {
            for (const Piece piece : pieces)
                for (int s = 0; s < pass_.streams; ++s) enqueue(piece, s);
        } else {
            for (int s = 0; s < pass_.streams; ++s)
                for (const Piece piece : pieces) enqueue(piece, s);
        }
        join();
    }

    // Enqueues a piece of work for one stream's part of the array.
    void enqueue(Piece piece, int s) {
        Queue& queue = *streams_[s].queue;
        const std::size_t first = count_ * s / pass_.streams;
        const std::size_t count = count_ * (s + 1) / pass_.streams - first;
        if (count == 0) return;
        const Rectangle shape{count * sizeof(float), 1};
        if (piece == Piece::upload && pass_.uploads)
            queue.start_upload(input() + first, shape.width, host_input_.data() + first,
                               shape.width, shape);
        if (piece == Piece::kernel && pass_.computes) compute(queue, first, count);
        if (piece == Piece::download && pass_.downloads)
            queue.start_download(host_x_.data() + first, shape.width, x() + first, shape.width,
                                 shape);
    }

    void compute(Queue& queue, std::size_t first, std::size_t count) {
        const Layout layout = Layout::make(static_cast<int>(count), 1, 0, unaligned, sizeof(float));
        const auto blocks = static_cast<unsigned>((count + block_threads - 1) / block_threads);
        launch(queue, "map", {{blocks}, {block_threads}}, map_kernel<float>,
               Grid<const float>(input() + first, layout, input_field),
               Grid<float>(x() + first, layout, value_field), repeats_);
    }

    void compute_missing() {
        if (pass_.computes || missing_ == 0) return;
        if (on_host_) queue_.upload(x_.get(), bytes(), host_x_.data(), bytes(), {bytes(), 1});
        on_host_ = false;
        for (; missing_ > 0; --missing_) compute(queue_, 0, count_);
    }

    std::size_t bytes() const { return count_ * sizeof(float); }
    float* input() const { return static_cast<float*>(input_.get()); }
    float* x() const { return static_cast<float*>(x_.get()); }

    Queue& queue_;
    Pass pass_;
    int repeats_;
    std::size_t count_;  // elements
    Memory input_;
    Memory x_;
    HostArray host_input_;
    HostArray host_x_;
    std::unique_ptr<Event> begun_;
    std::vector<Stream> streams_;
    bool on_host_ = false;  // true if the values were downloaded after they were computed
    // Number of omitted kernels since the first pass after an upload: a recorded pass is counted
    // when it is recorded, and replayed after another upload.
    int missing_ = 0;
    bool fresh_ = true;
};

CAMBER_TARGET_END
