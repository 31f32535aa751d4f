// CUPTI's part of the fake driver: callbacks at launches, and a record of every kernel.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "tests/harness/capture/fake_state.hpp"

using namespace camber::capture;
using namespace fake;

extern "C" {

int cuptiSubscribe(CuptiSubscriber* subscriber, CuptiCallback callback, void* data) {
    if (variable("FAKE_CUPTI_TAKEN") != nullptr) return cupti_second_client;
    *subscriber = nullptr;
    state().callback = callback;
    state().callback_data = data;
    return 0;
}
int cuptiUnsubscribe(CuptiSubscriber) {
    return 0;
}
int cuptiEnableCallback(std::uint32_t, CuptiSubscriber, int, std::uint32_t) {
    return 0;
}
int cuptiActivityRegisterCallbacks(void (*provide)(std::uint8_t**, std::size_t*, std::size_t*),
                                   void (*take)(void*, std::uint32_t, std::uint8_t*, std::size_t,
                                                std::size_t)) {
    state().provide = provide;
    state().take = take;
    return 0;
}
int cuptiActivityEnable(int) {
    if (variable("FAKE_CUPTI_TAKEN") != nullptr) return cupti_second_client;
    state().activity = true;
    return 0;
}
int cuptiActivityDisable(int) {
    state().activity = false;
    return 0;
}
// One record in each buffer.
int cuptiActivityFlushAll(std::uint32_t) {
    for (const Record& record : state().records) {
        std::uint8_t* buffer = nullptr;
        std::size_t bytes = 0;
        std::size_t records = 0;
        state().provide(&buffer, &bytes, &records);
        CuptiKernelRecord kernel{};
        kernel.kind = cupti_concurrent_kernels;
        kernel.start = record.start;
        kernel.end = record.end;
        kernel.correlation = record.correlation;
        for (int k = 0; k < 3; ++k) {
            kernel.grid[k] = static_cast<int>(record.config.grid[k]);
            kernel.block[k] = static_cast<int>(record.config.block[k]);
        }
        state().names.push_back(std::make_unique<std::string>(record.name));
        kernel.name = state().names.back()->c_str();
        std::memcpy(buffer, &kernel, sizeof kernel);
        state().take(nullptr, 0, buffer, bytes, sizeof kernel);
    }
    state().records.clear();
    return 0;
}
int cuptiActivityFlushPeriod(std::uint32_t) {
    return 0;
}
int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t, void** record) {
    if (*record != nullptr) return 1;
    *record = buffer;
    return 0;
}
int cuptiGetResultString(int, const char** text) {
    *text = "CUPTI_ERROR_UNKNOWN";
    return 0;
}

}  // extern "C"
