#include "harness/machine/simt/site_table.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <utility>

namespace camber::simt {

SiteId SiteTable::add(SiteId outer, const std::source_location& here) {
    SiteId id = 0;
    while (id < sites_.size() &&
           !(sites_[id].line == here.line() && sites_[id].column == here.column() &&
             sites_[id].outer == outer && std::strcmp(names_[id], here.file_name()) == 0))
        ++id;
    if (id == sites_.size()) {
        sites_.push_back({std::filesystem::path(here.file_name()).filename().string(), here.line(),
                          here.column(), outer});
        names_.push_back(here.file_name());
    }
    if (2 * (filled_ + 1) > slots_.size()) {
        const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
        filled_ = 0;
        for (const Slot& slot : old)
            if (slot.id != no_site) insert(slot);
    }
    insert({here.file_name(), here.line(), here.column(), outer, id});
    return id;
}

void SiteTable::insert(const Slot& slot) {
    std::size_t i = hash(slot.file, slot.line, slot.column, slot.outer) & (slots_.size() - 1);
    while (slots_[i].id != no_site) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
    ++filled_;
}

std::string SiteTable::describe(SiteId site) const {
    return fmt::format("{}:{}", sites_[site].file, sites_[site].line);
}

std::string SiteTable::describe_with_path(SiteId site) const {
    std::string text = describe(site);
    while ((site = sites_[site].outer) != no_site) text += " < " + describe(site);
    return text;
}

}  // namespace camber::simt
