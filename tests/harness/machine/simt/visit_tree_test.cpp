// Visit numbers of threads that follow a stored sequence equal those of threads that count.
#include <cstdint>
#include <map>
#include <random>
#include <source_location>
#include <tuple>
#include <vector>

#include "harness/machine/simt/visit_tree.hpp"
#include "tests/catch.hpp"

namespace camber::simt::visit_tree_test {

struct Thread {
    VisitTree::Visitor visitor;
};

// Counts without a tree.
class Reference {
  public:
    std::uint32_t visit(VisitKind kind, SiteId site) {
        if (kind == VisitKind::path) return 0;
        if (kind != VisitKind::skip) return counts_[{kind, site}]++;
        for (const VisitKind each : {VisitKind::load, VisitKind::store, VisitKind::atomic})
            ++counts_[{each, site}];
        return 0;
    }

  private:
    std::map<std::tuple<VisitKind, SiteId>, std::uint32_t> counts_;
};

// `sequences`: number of different sequences among the threads.
void compare(int threads, int blocks, int visits, int sequences) {
    const std::vector<std::source_location> places{std::source_location::current(),
                                                   std::source_location::current(),
                                                   std::source_location::current()};
    constexpr VisitKind kinds[] = {VisitKind::load, VisitKind::store, VisitKind::skip,
                                   VisitKind::path};
    SiteTable sites;
    VisitTree tree(sites);
    std::vector<Thread> all(static_cast<std::size_t>(threads));
    for (int block = 0; block < blocks; ++block) {
        tree.begin_epoch(all);
        for (int t = 0; t < threads; ++t) {
            std::mt19937 random(static_cast<unsigned>((t + block) % sequences));
            Reference reference;
            for (int i = 0; i < visits; ++i) {
                const VisitKind kind = kinds[random() % 4];
                const auto& place = places[random() % places.size()];
                const auto visit =
                    tree.visit(all[static_cast<std::size_t>(t)].visitor, kind, no_site, 0, place);
                REQUIRE(visit.site == sites.number(no_site, place));
                REQUIRE(visit.count == reference.visit(kind, visit.site));
            }
        }
    }
}

TEST_CASE("visit numbers do not depend on how many threads repeat a sequence",
          "[simt][recording]") {
    compare(64, 3, 100, 1);
    compare(64, 3, 100, 5);
    compare(64, 3, 100, 1000);
}

TEST_CASE("visit numbers stay right when the tree of sequences is full", "[simt][recording]") {
    compare(16, 4, 4000, 1);     // one long sequence
    compare(16, 4, 4000, 1000);  // no thread repeats another: threads count for themselves
}

TEST_CASE("threads that take turns extend one sequence", "[simt][recording]") {
    SiteTable sites;
    VisitTree tree(sites);
    std::vector<Thread> all(2);
    tree.begin_epoch(all);
    const auto here = std::source_location::current();
    for (std::uint32_t i = 0; i < 20; ++i)
        for (std::size_t t = 0; t < 2; ++t)  // alternately the first one to go on
            CHECK(tree.visit(all[(i + t) % 2].visitor, VisitKind::load, no_site, 0, here).count ==
                  i);
}

}  // namespace camber::simt::visit_tree_test
