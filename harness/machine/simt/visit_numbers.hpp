// Numbers for visits to a place in a kernel's code that are told apart by the iterations of loops
// that they belong to.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace camber::simt {

// The same for all lanes of a launch.
class VisitNumbers {
  public:
    // `what`: iteration and count.
    std::uint32_t number(std::uint64_t site, std::uint64_t what) {
        Site& visits = sites_[site];
        return visits.emplace(what, static_cast<std::uint32_t>(visits.size())).first->second;
    }

  private:
    using Site = std::unordered_map<std::uint64_t, std::uint32_t>;
    std::unordered_map<std::uint64_t, Site> sites_;
};

// Of two hashes, in this order.
constexpr std::uint64_t joined_hash(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 31);
}

}  // namespace camber::simt
