// The kernels of read_only and of halo, its baseline; read_only_ptx_test.sh checks their loads.
#include <cstdint>

#include "variants/techniques/halo.hpp"
#include "variants/techniques/read_only.hpp"
#include "workloads/life/rule.hpp"

CAMBER_TARGET_BEGIN

template __global__ void halo_kernel<Life<std::uint32_t>>(const Views<Life<std::uint32_t>>);
template __global__ void read_only_kernel<Life<std::uint32_t>>(const Views<Life<std::uint32_t>>);

CAMBER_TARGET_END
