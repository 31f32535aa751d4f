// What of a machine a process gets where several work at once: a GPU, and some of the CPU's cores.
#pragma once

#include <string>
#include <vector>

namespace camber {

struct MachineShare {
    // What CUDA_VISIBLE_DEVICES is to say; "": as here.
    std::string gpu;
    // Numbers of the CPU's cores; empty: all that this process has.
    std::vector<int> cores;
};

// As many shares as `count`, each with as many of `cores` as the others. The rest of the cores
// stays unused, so that times of one share are like those of another. Where there are fewer cores
// than shares, all have all. `gpus`: what each one's GPU is called; "" for all where no share is to
// have one of its own.
std::vector<MachineShare> divide_machine(int count, const std::vector<int>& cores,
                                         const std::vector<std::string>& gpus);

// The cores that this process may use, in ascending order.
std::vector<int> usable_cores();

// What the first `count` GPUs are called, by the value of CUDA_VISIBLE_DEVICES here: its own words,
// or numbers from 0 where it is not set.
std::vector<std::string> gpu_names(int count, const char* visible_devices);

}  // namespace camber
