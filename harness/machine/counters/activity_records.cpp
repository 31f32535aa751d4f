#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/activity_records.hpp"

    #include <cstdint>
    #include <cstdlib>
    #include <memory>
    #include <mutex>
    #include <utility>
    #include <vector>

namespace camber::counters {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t buffer_alignment = 8;

struct Free {
    void operator()(std::uint8_t* memory) const { std::free(memory); }
};

struct Buffer {
    std::unique_ptr<std::uint8_t, Free> memory;
    std::size_t valid = 0;  // bytes
};

// Global, because CUPTI's callbacks carry no user pointer, and CUPTI calls them on its own thread.
struct Collected {
    std::mutex mutex;
    std::vector<Buffer> buffers;
};

Collected& collected() {
    static Collected instance;
    return instance;
}

void CUPTIAPI request_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
    *size = *buffer ? buffer_bytes : 0;
    *records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
    Buffer taken{std::unique_ptr<std::uint8_t, Free>(buffer), valid};
    Collected& all = collected();
    const std::lock_guard lock(all.mutex);
    all.buffers.push_back(std::move(taken));
}

std::vector<Buffer> take_buffers() {
    Collected& all = collected();
    const std::lock_guard lock(all.mutex);
    return std::exchange(all.buffers, {});
}

class ActivityWindow {
  public:
    explicit ActivityWindow(std::initializer_list<CUpti_ActivityKind> kinds) {
        try {
            for (const CUpti_ActivityKind kind : kinds) {
                check(cupti().cuptiActivityEnable(kind), "asking for activity records");
                enabled_.push_back(kind);
            }
        } catch (...) {
            disable();
            throw;
        }
    }
    ~ActivityWindow() {
        disable();
        // Discards remaining records, which belong to no request.
        cupti().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        take_buffers();
    }
    ActivityWindow(const ActivityWindow&) = delete;
    ActivityWindow& operator=(const ActivityWindow&) = delete;

  private:
    void disable() {
        for (const CUpti_ActivityKind kind : enabled_) cupti().cuptiActivityDisable(kind);
        enabled_.clear();
    }
    std::vector<CUpti_ActivityKind> enabled_;
};

}  // namespace

void prepare_activity() {
    check(cupti().cuptiActivityRegisterCallbacks(request_buffer, take_buffer),
          "preparing activity records");
}

void collect_activity(std::initializer_list<CUpti_ActivityKind> kinds,
                      const std::function<void()>& work,
                      const std::function<void(const CUpti_Activity&)>& visit) {
    const ActivityWindow window(kinds);
    take_buffers();
    work();
    check(cupti().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
          "fetching activity records");
    for (const Buffer& buffer : take_buffers()) {
        CUpti_Activity* record = nullptr;
        while (buffer.valid > 0 && cupti().cuptiActivityGetNextRecord(
                                       buffer.memory.get(), buffer.valid, &record) == CUPTI_SUCCESS)
            visit(*record);
    }
}

}  // namespace camber::counters

#endif
