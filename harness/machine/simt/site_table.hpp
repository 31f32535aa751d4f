// Numbers for call sites of kernel code and for visits to them. Traces match the lanes of a warp by
// these numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

// Numbers for sites: a site is a source location and the call path that led to it.
struct SiteInfo {
    std::string file;  // without its folders
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    SiteId outer = no_site;  // call through which it was reached
};

// Assigns every pair (call path, source location) one number, counted from 0. The function's name
// is not part of the location, so that instantiations of a template share their sites. Not
// thread-safe.
class SiteTable {
  public:
    SiteTable() : slots_(1024) {}

    // Number of the source location `here`, reached through `outer`.
    SiteId number(SiteId outer, const std::source_location& here) {
        std::size_t i =
            hash(here.file_name(), here.line(), here.column(), outer) & (slots_.size() - 1);
        while (slots_[i].id != no_site) {
            const Slot& slot = slots_[i];
            if (slot.file == here.file_name() && slot.line == here.line() &&
                slot.column == here.column() && slot.outer == outer)
                return slot.id;
            i = (i + 1) & (slots_.size() - 1);
        }
        return add(outer, here);
    }

    std::size_t size() const { return sites_.size(); }
    const SiteInfo& operator[](SiteId site) const { return sites_[site]; }

    // "rule.hpp:49"; with_path: "rule.hpp:49 < generations.hpp:67 < walk.hpp:41", innermost first.
    std::string describe(SiteId site) const;
    std::string describe_with_path(SiteId site) const;

  private:
    struct Slot {
        const char* file = nullptr;
        std::uint32_t line = 0;
        std::uint32_t column = 0;
        SiteId outer = no_site;
        SiteId id = no_site;  // no_site: the slot is free
    };

    static std::size_t hash(const char* file, std::uint64_t line, std::uint64_t column,
                            SiteId outer) {
        const std::uint64_t bits =
            reinterpret_cast<std::uintptr_t>(file) ^ line << 40 ^ column << 20 ^ outer;
        return bits * 0x9e3779b97f4a7c15u >> 32;
    }
    SiteId add(SiteId outer, const std::source_location& here);
    void insert(const Slot& slot);

    // Open addressing. A file name may have several addresses, one for each file in which an inline
    // function is compiled, so a site may fill several slots.
    std::vector<Slot> slots_;
    std::size_t filled_ = 0;
    std::vector<SiteInfo> sites_;
    std::vector<const char*> names_;  // full file names of the sites
};

// Numbers for visits to a site, distinguished by the loop iterations in which they occur

// Shared by all lanes of a launch.
class VisitNumbers {
  public:
    // `what`: hash of iteration and count.
    std::uint32_t number(std::uint64_t site, std::uint64_t what) {
        Site& visits = sites_[site];
        return visits.emplace(what, static_cast<std::uint32_t>(visits.size())).first->second;
    }

  private:
    using Site = std::unordered_map<std::uint64_t, std::uint32_t>;
    std::unordered_map<std::uint64_t, Site> sites_;
};

// Combines two hashes; depends on their order.
constexpr std::uint64_t joined_hash(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 31);
}

}  // namespace camber::simt
