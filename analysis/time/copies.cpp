#include "analysis/time/copies.hpp"

#include <algorithm>
#include <map>

namespace camber {

double copies_executed(const std::vector<SiteExecutions>& sites) {
    struct Copies {
        double count = 0;
        double executed = 0;
        double most = 0;
    };
    std::map<int, Copies> places;
    for (const SiteExecutions& site : sites) {
        Copies& copies = places[site.place];
        copies.count += 1;
        copies.executed += site.warps;
        copies.most = std::max(copies.most, site.warps);
    }
    double executed = 0;
    double all = 0;
    for (const auto& [place, copies] : places) {
        executed += copies.executed;
        all += copies.count * copies.most;
    }
    return all > 0 ? executed / all : 1;
}

}  // namespace camber
