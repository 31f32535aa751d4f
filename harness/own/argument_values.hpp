// The values of a kernel's arguments, in the types of its parameters.
#pragma once

#include <cstddef>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "harness/own/binding.hpp"
#include "harness/own/host/interface.h"

namespace camber {

// A parameter as the compiler knows it.
using ParameterTypes = std::vector<CamberParameter>;

// Throws Error(usage) with the source location if the arguments are not as many as the parameters,
// or not of their types. `written_types`: the parameters' types as the file has them; may be empty.
void check_types(const BoundKernel& kernel, const ParameterTypes& types,
                 const std::vector<std::string>& written_types, const std::string& workload,
                 const std::string& file);

class ArgumentValues {
  public:
    void add_pointer(void* value) { add_bytes(&value, sizeof value); }
    // In the type, which is that of a number.
    void add_number(double value, const CamberType& type);
    // A pointer to each.
    void** pointers() { return pointers_.data(); }
    std::size_t size() const { return values_.size(); }

  private:
    struct Value {
        alignas(8) std::byte bytes[8];
    };
    void add_bytes(const void* bytes, std::size_t size);

    std::deque<Value> values_;
    std::vector<void*> pointers_;
};

// A number as bytes of that type.
void put_number(void* to, double value, const CamberType& type);

}  // namespace camber
