// CUPTI's host object of one chip, freed with its owner.
#pragma once

#include <string>

#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/counters/cupti_library.hpp"

namespace camber::counters {

class HostObject {
  public:
    HostObject(const std::string& chip, Bytes availability)
        : chip_(chip), availability_(std::move(availability)) {
        auto made = parameters<CUpti_Profiler_Host_Initialize_Params>(
            CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
        made.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
        made.pChipName = chip_.c_str();
        made.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
        check(cupti().cuptiProfilerHostInitialize(&made), "reading the metrics of " + chip_);
        object_ = made.pHostObject;
    }
    ~HostObject() {
        auto freed = parameters<CUpti_Profiler_Host_Deinitialize_Params>(
            CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
        freed.pHostObject = object_;
        cupti().cuptiProfilerHostDeinitialize(&freed);
    }
    HostObject(const HostObject&) = delete;
    HostObject& operator=(const HostObject&) = delete;

    CUpti_Profiler_Host_Object* get() const { return object_; }

  private:
    std::string chip_;  // both are kept as long as the object that was made from them
    Bytes availability_;
    CUpti_Profiler_Host_Object* object_ = nullptr;
};

}  // namespace camber::counters
