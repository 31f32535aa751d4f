// A name for a call site that is the same in every run and every executor.
#pragma once

#include <string>

#include "harness/machine/simt/site_table.hpp"

namespace camber {

// "rule.hpp:31:40 < halo.hpp:16:5": the place and the calls that led to it, innermost first.
inline std::string site_key(const simt::SiteTable& sites, simt::SiteId site) {
    std::string key;
    for (; site != simt::no_site; site = sites[site].outer) {
        if (!key.empty()) key += " < ";
        key += sites[site].file + ":" + std::to_string(sites[site].line) + ":" +
               std::to_string(sites[site].column);
    }
    return key;
}

}  // namespace camber
