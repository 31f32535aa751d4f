// Words for accesses, as findings have them.
#pragma once

#include <cstdint>

#include "harness/base/warp_request.hpp"

namespace camber {

inline std::uintptr_t number(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory);
}

inline const char* noun(Operation operation) {
    switch (operation) {
        case Operation::load:
            return "load";
        case Operation::store:
            return "store";
        case Operation::atomic:
            return "atomic";
    }
    return "";
}

}  // namespace camber
