// State that the fake driver and the fake CUPTI share.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/capture/cupti_records.hpp"
#include "tests/harness/capture/fake_kernels.hpp"

namespace fake {

using namespace camber::capture;

inline const char* variable(const char* name) {
    return std::getenv(name);
}

struct Function {
    std::string name;
    const Kernel* kernel = nullptr;
    FakeModule* module = nullptr;
};

struct Allocation {
    std::size_t bytes = 0;
    unsigned type = 2;  // 1: host
    unsigned managed = 0;
};

struct Record {
    std::string name;
    CuLaunchConfig config;
    std::uint64_t start, end;
    std::uint32_t correlation;
};

struct Driver_ {
    std::map<std::uint64_t, Allocation> allocations;
    std::vector<std::unique_ptr<FakeModule>> modules;
    std::map<std::pair<FakeModule*, std::string>, std::unique_ptr<Function>> functions;
    CuResult failed = 0;  // sticky, as after an illegal address
    bool records_graph = false;
    std::uint64_t clock = 1000000;
    std::uint32_t correlation = 0;

    CuptiCallback callback = nullptr;
    void* callback_data = nullptr;
    bool activity = false;
    void (*provide)(std::uint8_t**, std::size_t*, std::size_t*) = nullptr;
    void (*take)(void*, std::uint32_t, std::uint8_t*, std::size_t, std::size_t) = nullptr;
    std::vector<Record> records;
    std::vector<std::unique_ptr<std::string>> names;  // of delivered records
};

inline Driver_& state() {
    static Driver_* const only = new Driver_;
    return *only;
}

}  // namespace fake
