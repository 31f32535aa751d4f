// Kernels with planted faults in faults/; see planted_faults.cu.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/machine/kernel/vocabulary.hpp"
#include "harness/predict/check_variant.hpp"

CAMBER_TARGET_BEGIN

struct PlantedFault {
    const char* name;
    FindingKind kind;
    const char*
        tool;  // of compute-sanitizer that looks for such faults; "none" where there is none
    void (*run)(Queue&);
    void (*run_right)(Queue&);  // same kernel without the fault
};

std::vector<PlantedFault> planted_faults();

CAMBER_TARGET_END
