#include "harness/registry/kernels.hpp"

namespace camber {

void load_kernels(std::string_view) {}
void load_all_kernels() {}
bool kernels_are_built(std::string_view) {
    return true;
}

}  // namespace camber
