#include "harness/cli/reproduce/particles_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>

#include "analysis/published/list_periods.hpp"
#include "harness/base/number_text.hpp"

namespace camber {

namespace {

constexpr int periods[] = {1, 5, 10, 20};

std::string of_card(const published::Card& card, const std::string& text) {
    return card.name.empty() ? text : card.name + ", " + text;
}

void add_shares(PageText& page, const published::Card& card, const published::ListCost& cost,
                const std::map<int, double>& runs) {
    page.subheading(of_card(card, "shares of an iteration's kernels, " + cost.origin));
    TextTable table({"iterations per list", "BuildNeibs", "sorting", "Forces",
                     "speed over a list "
                     "in each, by kernels",
                     "by whole runs"},
                    0);
    for (const int period : periods) {
        std::string by_runs = "not measured";
        if (runs.contains(1) && runs.contains(period))
            by_runs = fmt::format("{:.2f}x", runs.at(1) / runs.at(period));
        table.add({fmt::format("{}{}", period, period == cost.period ? ", as timed" : ""),
                   percent(cost.building_share(period)), percent(cost.sorting_share(period)),
                   percent(cost.forces_share(period)),
                   fmt::format("{:.2f}x", cost.iteration(1) / cost.iteration(period)),
                   std::move(by_runs)});
    }
    page.table(table);
    std::vector<int> missing;
    for (const int period : periods)
        if (!runs.contains(period)) missing.push_back(period);
    if (missing.empty()) return;
    page.paragraph(fmt::format(
        "No file has times of whole runs whose lists are shared by {} iterations. A kernel takes "
        "as "
        "long however often it is launched, so that shares follow from the times of each at {}. "
        "The "
        "campaign's parts sph-rebuild1, sph-rebuild5 and sph-rebuild20 measure the runs.",
        fmt::join(missing, ", "), cost.period));
}

void add_loads(PageText& page, const published::Card& card,
               const std::vector<published::ForcesLoads>& all) {
    page.subheading(of_card(card, "what loads of Forces find, " + all.front().origin));
    TextTable table({"variant", "sectors per request", "found in L1",
                     "sectors from L2 per particle", "time of whole runs"},
                    1);
    for (const published::ForcesLoads& loads : all)
        table.add({loads.variant, fmt::format("{:.1f}", loads.sectors_per_request),
                   fmt::format("{:.0f} %", loads.l1_hit_percent),
                   fmt::format("{:.0f}", loads.l2_sectors),
                   loads.times_slower ? fmt::format("{:.2f}x", *loads.times_slower) : "-"});
    page.table(table);
}

}  // namespace

void add_particles(PageText& page, const published::Table& table,
                   const std::vector<published::Card>& cards) {
    bool headed = false;
    const auto head = [&] {
        if (headed) return;
        headed = true;
        page.heading("Particles: how often a list is made, and what its reads find");
        std::vector<std::string> stated;
        for (const published::Row& row : table.rows)
            if (row.values.front())
                stated.push_back(row.values.front()->printed + " with " + row.name);
        page.item(fmt::format(
            "{}, {}, on a {}: BuildNeibs takes {}, and Forces are bound by scattered reads. The "
            "times of whole runs below are over that of {}.",
            table.source, table.place, fmt::join(table.hardware, ", "), fmt::join(stated, ", "),
            published::published_particles));
    };
    for (const published::Card& card : cards) {
        if (const auto cost =
                published::list_cost(card.documents, published::published_particles)) {
            head();
            add_shares(
                page, card, *cost,
                published::run_times_by_period(card.documents, published::published_particles));
        }
        if (const auto loads = published::forces_loads(card.documents); !loads.empty()) {
            head();
            add_loads(page, card, loads);
        }
    }
}

}  // namespace camber
