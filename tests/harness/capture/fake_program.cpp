// A program for the fake driver: runs the launches that its arguments name, in order. Each is a
// word, such as "scale" or "increment"; "exit=N" sets the exit code.
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "harness/capture/cuda_driver.hpp"
#include "tests/harness/capture/fake_cubin.hpp"

namespace {

using namespace camber::capture;

constexpr int count = 3000;

template <class Call>
Call* function(const char* name) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    return reinterpret_cast<Call*>(dlsym(library, name));
}

template <class T>
CuAddress allocated(const std::vector<T>& values) {
    CuAddress address = 0;
    check(driver().allocate(&address, values.size() * sizeof(T)), "allocating");
    check(driver().copy(address, reinterpret_cast<CuAddress>(values.data()),
                        values.size() * sizeof(T), nullptr),
          "copying");
    return address;
}

std::vector<float> ramp() {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.F);
    return values;
}

class Program {
  public:
    Program() {
        check(driver().init(0), "starting");
        float weight = 1.5F;
        std::string bytes(sizeof weight, '\0');
        std::memcpy(bytes.data(), &weight, sizeof weight);
        image_ =
            camber::capture_test::fake_cubin({"_Z5scalePKfPfi", "increment", "gather", "set_all",
                                              "_Z3sumPf", "crashing", "ncclDevKernel_Broadcast"},
                                             {{"weight", bytes}});
        check(driver().load_module(&module_, image_.data()), "loading");
        // The variable has another value than in the cubin.
        CuAddress address = 0;
        std::size_t size = 0;
        check(driver().module_global(&address, &size, module_, "weight"), "looking");
        weight = 2.5F;
        check(driver().copy(address, reinterpret_cast<CuAddress>(&weight), sizeof weight, nullptr),
              "copying");
    }

    void run(const std::string& word) {
        if (word == "scale") {
            launch("_Z5scalePKfPfi", {in_, out_, count});
        } else if (word == "increment") {
            launch("increment", {numbers_, count});
        } else if (word == "gather") {
            launch("gather", {indices_, in_, out_, count});
        } else if (word == "set_all") {
            // Addresses of both allocations, one of them inside.
            static const CuAddress list =
                allocated(std::vector<CuAddress>{numbers_ + 40, indices_, 0});
            launch("set_all", {list});
        } else if (word == "sum") {
            launch("_Z3sumPf", {out_});
        } else if (word == "nccl") {
            launch("ncclDevKernel_Broadcast", {out_});
        } else if (word == "crash") {
            launch("crashing", {in_, out_, count});
        } else if (word == "managed") {
            using Allocate = CuResult(CuAddress*, std::size_t, unsigned);
            CuAddress out = 0;
            function<Allocate>("cuMemAllocManaged")(&out, count * sizeof(float), 1);
            launch("_Z5scalePKfPfi", {in_, out, count});
        } else if (word == "pool") {
            // Input, output and unused numbers in one allocation of 100 pages.
            constexpr std::size_t numbers = 102400;
            std::vector<float> values(numbers);
            for (std::size_t k = 0; k < numbers; ++k)
                values[k] = static_cast<float>(k * 2654435761U % 1000003U);
            const CuAddress pool = allocated(values);
            launch("_Z5scalePKfPfi", {pool, pool + 51200 * sizeof(float), count});
        } else if (word == "pinned") {
            void* const out = host_memory(nullptr);
            check(driver().register_host(out, count * sizeof(float), 0), "pinning");
            launch("_Z5scalePKfPfi", {in_, reinterpret_cast<CuAddress>(out), count});
        } else if (word == "pageable") {
            // Far from all memory of a replay process.
            float* const in =
                static_cast<float*>(host_memory(reinterpret_cast<void*>(0x150000000000)));
            std::iota(in, in + count, 1.F);
            launch("_Z5scalePKfPfi", {reinterpret_cast<CuAddress>(in), out_, count});
        } else if (word == "graph") {
            function<CuResult(CuStream, int)>("cuStreamBeginCapture_v2")(nullptr, 0);
            launch("_Z5scalePKfPfi", {in_, out_, count});
            function<CuResult(CuStream, void**)>("cuStreamEndCapture")(nullptr, nullptr);
        }
    }

  private:
    static void* host_memory(void* address) {
        return mmap(address, count * sizeof(float), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }

    // Every second launch is by cuLaunchKernelEx.
    void launch(const char* name, std::vector<CuAddress> values) {
        CuFunction kernel = nullptr;
        check(driver().module_function(&kernel, module_, name), "looking");
        std::vector<void*> arguments;
        for (CuAddress& value : values) arguments.push_back(&value);
        constexpr unsigned threads = 128;
        const unsigned blocks = (count + threads - 1) / threads;
        if (by_ex_ = !by_ex_; by_ex_) {
            const CuLaunchConfig config{{blocks, 1, 1}, {threads, 1, 1}, 0, nullptr, nullptr, 0};
            driver().launch(&config, kernel, arguments.data(), nullptr);
            return;
        }
        using Launch = CuResult(CuFunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                unsigned, unsigned, CuStream, void**, void**);
        function<Launch>("cuLaunchKernel")(kernel, blocks, 1, 1, threads, 1, 1, 0, nullptr,
                                           arguments.data(), nullptr);
    }

    std::string image_;
    CuModule module_ = nullptr;
    CuAddress in_ = allocated(ramp());
    CuAddress out_ = allocated(std::vector<float>(count));
    CuAddress numbers_ = allocated(std::vector<int>(count, 5));
    CuAddress indices_ = [] {
        std::vector<int> values(count);
        for (int k = 0; k < count; ++k) values[static_cast<std::size_t>(k)] = k * 7 % count;
        return allocated(values);
    }();
    bool by_ex_ = false;
};

}  // namespace

int main(int argc, char** argv) {
    int exit_code = 0;
    Program program;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        if (word.starts_with("exit="))
            exit_code = std::atoi(argv[k] + 5);
        else
            program.run(word);
    }
    std::puts("the program's own output");
    return exit_code;
}
