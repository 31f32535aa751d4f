#include "tests/harness/capture/fake_kernels.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

using namespace camber::capture;

namespace {

template <class T>
T* pointer(std::uint64_t address) {
    return reinterpret_cast<T*>(address);
}

// out[k] = weight * in[k], with the __constant__ variable `weight`
CuResult scale(const Arguments& a) {
    float weight = 0;
    std::memcpy(&weight, a.variable("weight"), sizeof weight);
    const int count = a.at<int>(2);
    for (int k = 0; k < count; ++k)
        pointer<float>(a.at<std::uint64_t>(1))[k] =
            weight * pointer<const float>(a.at<std::uint64_t>(0))[k];
    return 0;
}

CuResult scale_wrongly(const Arguments& a) {
    const CuResult result = scale(a);
    pointer<float>(a.at<std::uint64_t>(1))[3] += 1;
    return result;
}

CuResult scale_nearly(const Arguments& a) {
    const CuResult result = scale(a);
    pointer<float>(a.at<std::uint64_t>(1))[3] *= 1.00001F;
    return result;
}

// Leaves bytes alone that are to become 123.
CuResult skip_bytes(const Arguments& a) {
    auto* const out = pointer<unsigned char>(a.at<std::uint64_t>(1));
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(a.at<int>(2));
    const std::vector<unsigned char> before(out, out + bytes);
    const CuResult result = scale(a);
    for (std::size_t k = 0; k < bytes; ++k)
        if (out[k] == 123) out[k] = before[k];
    return result;
}

CuResult do_nothing(const Arguments&) {
    return 0;
}

CuResult fail(const Arguments&) {
    return illegal_address;
}

CuResult end_process(const Arguments&) {
    std::raise(SIGSEGV);
    return 0;
}

CuResult never_end(const Arguments&) {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

// data[k] += 1, in place
CuResult increment(const Arguments& a) {
    const int count = a.at<int>(1);
    for (int k = 0; k < count; ++k) pointer<int>(a.at<std::uint64_t>(0))[k] += 1;
    return 0;
}

// out[k] = in[index[k]]
CuResult gather(const Arguments& a) {
    const int count = a.at<int>(3);
    for (int k = 0; k < count; ++k) {
        const int index = pointer<const int>(a.at<std::uint64_t>(0))[k];
        const std::uint64_t from = a.at<std::uint64_t>(1) + 4 * static_cast<std::int64_t>(index);
        if (!is_valid(from, 4)) return illegal_address;
        pointer<float>(a.at<std::uint64_t>(2))[k] = *pointer<const float>(from);
    }
    return 0;
}

// The only parameter points to a list of addresses, of which each int is set to 7.
CuResult set_all(const Arguments& a) {
    const auto* list = pointer<const std::uint64_t>(a.at<std::uint64_t>(0));
    for (; *list != 0; ++list) {
        if (!is_valid(*list, 4)) return illegal_address;
        *pointer<int>(*list) = 7;
    }
    return 0;
}

// Another sum each time, as by atomics in another order.
CuResult sum_in_any_order(const Arguments& a) {
    static int runs = static_cast<int>(getpid() % 7);
    *pointer<float>(a.at<std::uint64_t>(0)) = 1000.F + 0.001F * static_cast<float>(++runs % 7);
    return 0;
}

const std::vector<std::size_t> scale_parameters{8, 8, 4};

}  // namespace

const std::map<std::string, Kernel>& kernels() {
    static const std::map<std::string, Kernel> all{
        {"_Z5scalePKfPfi", {scale_parameters, scale}},
        {"fast", {scale_parameters, scale, 5000}},
        {"wrong", {scale_parameters, scale_wrongly}},
        {"near", {scale_parameters, scale_nearly}},
        {"lazy", {scale_parameters, do_nothing}},
        {"skipping", {scale_parameters, skip_bytes}},
        {"other", {{8, 8, 8}, scale}},
        {"crashing", {scale_parameters, fail}},
        {"ending", {scale_parameters, end_process}},
        {"endless", {scale_parameters, never_end}},
        {"increment", {{8, 4}, increment, 3000}},
        {"gather", {{8, 8, 8, 4}, gather}},
        {"set_all", {{8}, set_all}},
        {"_Z3sumPf", {{8}, sum_in_any_order}},
        {"ncclDevKernel_Broadcast", {{8}, do_nothing}},
    };
    return all;
}

unsigned char* Arguments::variable(const std::string& name) const {
    return module_.variables.at(name).data();
}
