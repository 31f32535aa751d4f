// Properties of the `sph` variants beyond bitwise equality: they have no races, and a run that
// fails reports the error and the particle.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "tests/variants/particles/sph/start.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/warp_search.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/particles/sph/neighbors.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph::variants_test {
namespace {

using sph_test::Start;

// One variant of each technique and of each kind of fields, with cells of one type.
std::vector<const Variant*> typical_variants(ElementType cell = ElementType::float32) {
    std::vector<const Variant*> found;
    std::set<std::string> kinds;
    for (const Variant& variant : registry().variants()) {
        if (variant.info.workload != "sph" || variant.info.cell != cell) continue;
        const std::string path = variant.info.path();
        if (kinds.insert(std::string(variant.info.technique.name) + path.substr(0, path.find('/')))
                .second)
            found.push_back(&variant);
    }
    return found;
}

const Variant& of_technique(std::string_view name) {
    const auto variants = typical_variants();
    return **std::ranges::find_if(
        variants, [name](const Variant* variant) { return variant->info.technique.name == name; });
}
const Variant& cell_slots() {
    return of_technique("cell_slots");
}

std::string error_of(const Variant& variant, const Start& start, int iterations) {
    simt::HostQueue queue(1);
    const auto execution = variant.factories.at(Backend::simt)(queue, start.problem);
    State state = start.state;
    try {
        execution->upload(start.state);
        execution->advance(iterations);
        execution->download(state);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

std::string error_of_reference(const Start& start, int iterations) {
    State state = start.state;
    try {
        camber::advance(start.workload, state, {.parameters = start.problem.parameters},
                        iterations);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// Faulty list that silently drops neighbors beyond its capacity.
struct QuietList : InterleavedList {
    void store(int slot, int k, int neighbour) const {
        if (k < most_neighbours) InterleavedList::store(slot, k, neighbour);
    }
    template <Read read, class F>
    void for_neighbours(int slot, const F& f) const {
        const int count = std::min<int>(counts(0, slot), most_neighbours);
        for (int k = 0; k < count; ++k) f(load<read>(slot, k));
    }
};

}  // namespace

TEST_CASE("variants of sph are clean", "[check][sph]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Start start({{"dp", 0.1}, {"rebuild", 2}}, cell);
        CHECK(typical_variants(cell).size() >= (cell == ElementType::float32 ? 18 : 3));
        for (const Variant* variant : typical_variants(cell)) {
            // Three iterations: a new list, its reuse, and the next list.
            const CheckResult result = check_variant(*variant, start.problem, start.state, 3, 1);
            INFO(describe(result));
            CHECK(result.clean());
        }
    }
}

// Lists longer than the capacity without a skin, in wider cells.
TEST_CASE("a skin gives all variants the bits of the reference", "[sph]") {
    Start start({{"dp", 0.06}, {"skin", 4}, {"rebuild", 3}});
    const Settings settings = settings_of(start.problem.parameters);
    const NeighbourList list =
        neighbours_of<float>({start.at("x"), start.at("y"), start.at("z"),
                              start.state.field(kind_field).cells<std::uint8_t>()},
                             settings, list_capacity(settings), 1);
    CHECK(std::ranges::max(list.places, {}, &NeighbourList::Place::count).count > most_neighbours);
    State expected = start.state;
    camber::advance(start.workload, expected, {.parameters = start.problem.parameters}, 7);
    int compared = 0;
    for (const Variant* variant : typical_variants()) {
        CAPTURE(variant->info.name());
        if (variant->info.arithmetic != Arithmetic::canonical) continue;
        if (variant->unsupported(start.problem)) {
            CHECK(variant->info.technique.name == "cell_slots");
            continue;
        }
        simt::HostQueue queue(1);
        const auto execution = variant->factories.at(Backend::simt)(queue, start.problem);
        State actual = start.state;
        execution->upload(start.state);
        execution->advance(7);
        execution->download(actual);
        for (const HostField& field : expected.fields) {
            CAPTURE(field.name());
            CHECK(std::ranges::equal(field.bytes(), actual.field(field.name()).bytes()));
        }
        ++compared;
    }
    CHECK(compared >= 14);
}

// True if an iteration of a form gives the expected state, bit by bit.
template <class Form>
bool is_right(const Start& start, const State& expected, const Form&) {
    simt::HostQueue queue(1);
    ParticleExecution<Form> execution(queue, start.problem, 128);
    State actual = start.state;
    execution.upload(start.state);
    execution.advance(1);
    execution.download(actual);
    return std::ranges::all_of(expected.fields, [&](const HostField& field) {
        return std::ranges::equal(field.bytes(), actual.field(field.name()).bytes());
    });
}

TEST_CASE("a list that overflows in silence is found out", "[sph][mutants]") {
    // This start has more neighbors per particle.
    const Start start({{"dp", 0.06}, {"skin", 4}, {"rebuild", 3}});
    const State expected = start.expected(1);
    CHECK(is_right(start, expected, Form<InterleavedList, QuadFields, Read::plain>()));
    CHECK_FALSE(is_right(start, expected, Form<QuietList, QuadFields, Read::plain>()));
}

template <int Words>
using Searching = Form<InterleavedList, QuadFields, Read::read_only, SortedOrder<RowOrder, float>,
                       LibraryMinimum<float>, ByParticle<Sums::plain>, SearchByWarp<Words>>;

// With four words, threads search alone wherever a warp has more than 128 candidates.
TEST_CASE("warps build the lists of the reference, with room for all hits or not", "[sph]") {
    const Start start({{"dp", 0.08}});
    const State expected = start.expected(1);
    CHECK(is_right(start, expected, Searching<search_words>()));
    CHECK(is_right(start, expected, Searching<4>()));
}

TEST_CASE("the naive search is for few particles, and for one place", "[sph]") {
    const Variant& naive = of_technique("all_pairs");
    Problem problem = Start({{"dp", 0.1}}).problem;
    CHECK_FALSE(naive.unsupported(problem));
    problem.parameters.set("dp", {0.008});
    CHECK(naive.unsupported(problem).value_or("") ==
          "takes at most 131072 particles, and this problem has 269185");
    CHECK(naive.group_factories.empty());
}

// A cluster of more particles than a list can contain: its first list overflows first.
TEST_CASE("a list that overflows in a kernel is an error", "[sph]") {
    Start start({{"dp", 0.08}, {"rebuild", 1}});
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    int moved = 0;
    std::size_t first = 0;
    for (std::size_t id = 0; id < kinds.size() && moved < 140; ++id) {
        if (kinds[id] != 0) continue;
        if (moved == 0) first = id;
        // Places them on a lattice of 6 x 6 x 4, far from all walls.
        start.at("x")[id] = 0.6f + 0.01f * static_cast<float>(moved % 6);
        start.at("y")[id] = 0.3f + 0.01f * static_cast<float>(moved / 6 % 6);
        start.at("z")[id] = 0.3f + 0.01f * static_cast<float>(moved / 36);
        ++moved;
    }
    REQUIRE(moved == 140);
    const std::string name = "particle " + std::to_string(first) + " has more than 128 neighbours";
    CHECK_THAT(error_of_reference(start, 1), contains(name));
    int lists = 0;
    for (const Variant* variant : typical_variants()) {
        CAPTURE(variant->info.name());
        const bool list = variant->info.technique.name.starts_with("neighbour_list");
        lists += list ? 1 : 0;
        if (list) CHECK_THAT(error_of(*variant, start, 1), contains(name + " in iteration 0"));
        if (variant->info.technique.name == "cell_slots")
            CHECK_THAT(error_of(*variant, start, 1),
                       contains("has more than 32 particles in iteration 0"));
    }
    CHECK(lists >= 13);
}

// Twenty particles on either side of a border between cells; those on the left cross it.
TEST_CASE("a cell without room for a particle is an error", "[sph]") {
    Start start({{"dp", 0.08}, {"rebuild", 1}});
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    int moved = 0;
    for (std::size_t id = 0; id < kinds.size() && moved < 40; ++id) {
        if (kinds[id] != 0) continue;
        const bool left = moved < 20;
        start.at("x")[id] = left ? 0.6235f : 0.6245f;
        start.at("vx")[id] = left ? 200.0f : 0.0f;
        start.at("y")[id] = 0.25f + 0.01f * static_cast<float>(moved % 5);
        start.at("z")[id] = 0.25f + 0.01f * static_cast<float>(moved % 20 / 5);
        ++moved;
    }
    REQUIRE(moved == 40);
    const Variant& variant = cell_slots();
    CHECK(error_of(variant, start, 1).empty());
    CHECK_THAT(error_of(variant, start, 2), contains("has more than 32 particles in iteration 1"));
}

// A single particle in the air, so fast that it leaves its cell and the next one before the second
// list.
TEST_CASE("a particle that goes farther than a cell is an error", "[sph]") {
    Start start({{"dp", 0.08}, {"rebuild", 3}});
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    const std::size_t id = kinds.size() - 1;
    REQUIRE(kinds[id] == 0);
    start.at("x")[id] = 0.7f;
    start.at("y")[id] = 0.12f;
    start.at("z")[id] = 0.5f;
    start.at("vx")[id] = 150.0f;
    start.at(step_field)[0] = 1e-3f;
    CHECK(error_of_reference(start, 4).empty());
    const Variant& variant = cell_slots();
    CHECK(error_of(variant, start, 3).empty());
    CHECK_THAT(error_of(variant, start, 4),
               contains("particle " + std::to_string(id) +
                        " went farther than a cell before iteration 3"));
}

TEST_CASE("water that blows up in a kernel is an error", "[sph]") {
    Start start({{"dp", 0.1}});
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    std::size_t id = kinds.size() - 1;
    REQUIRE(kinds[id] == 0);
    start.at("vx")[id] = 1e6f;
    const std::string name = "blows up in iteration 0";
    CHECK_THAT(error_of_reference(start, 1), contains(name));
    for (const Variant* variant : typical_variants()) {
        CAPTURE(variant->info.name());
        CHECK(error_of(*variant, start, 1) == error_of_reference(start, 1));
    }
}

}  // namespace camber::sph::variants_test
