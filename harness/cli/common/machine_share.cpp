#include "harness/cli/common/machine_share.hpp"

#include <sched.h>

#include <sstream>

namespace camber {

std::vector<MachineShare> divide_machine(int count, const std::vector<int>& cores,
                                         const std::vector<std::string>& gpus) {
    const std::size_t each = cores.size() / static_cast<std::size_t>(count);
    std::vector<MachineShare> shares(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < shares.size(); ++k) {
        if (k < gpus.size()) shares[k].gpu = gpus[k];
        const auto first = cores.begin() + static_cast<std::ptrdiff_t>(k * each);
        shares[k].cores.assign(first, first + static_cast<std::ptrdiff_t>(each));
    }
    return shares;
}

std::vector<int> usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cores;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &set)) cores.push_back(core);
    return cores;
}

std::vector<std::string> gpu_names(int count, const char* visible_devices) {
    std::vector<std::string> names;
    std::istringstream words(visible_devices ? visible_devices : "");
    for (std::string word; std::getline(words, word, ',');) names.push_back(word);
    for (int number = static_cast<int>(names.size()); number < count && !visible_devices; ++number)
        names.push_back(std::to_string(number));
    names.resize(static_cast<std::size_t>(count));
    return names;
}

}  // namespace camber
