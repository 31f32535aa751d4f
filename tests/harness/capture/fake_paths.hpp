// Build paths of the fake driver and of the program that uses it.
#pragma once

namespace built {

extern const char* const fake_driver;       // libcuda.so.1; its folder has libcupti.so.13, too
extern const char* const fake_gpu_program;  // launches kernels that its arguments name

}  // namespace built
