// Loops and basic blocks of machine code.
#include "harness/machine/sass/control_flow.hpp"
#include "tests/catch.hpp"

namespace code_loops_test {

// Loops in machine code

using namespace camber;

namespace {

FlowStep on() {
    return {};
}
FlowStep jump(std::size_t target) {
    return {.goes_on = false, .target = target};
}
FlowStep branch(std::size_t target) {
    return {.target = target};
}
FlowStep end() {
    return {.goes_on = false, .target = {}};
}

LoopForest forest(std::vector<FlowStep> steps) {
    for (FlowStep& step : steps) step.access = true;
    return find_loops(steps);
}

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("what lies between a branch back and its target is a loop", "[static]") {
    const LoopForest found = forest({on(), on(), on(), branch(1), end()});
    CHECK(found.within == Numbers{0, 0});
    CHECK(found.loop_of == Numbers{0, 1, 1, 1, 0});
    // A loop of one instruction.
    CHECK(forest({on(), branch(1), end()}).loop_of == Numbers{0, 1, 0});
    CHECK(forest({on(), branch(2), end()}).within == Numbers{0});
}

TEST_CASE("loops stand in loops", "[static]") {
    const LoopForest found =
        forest({on(), on(), on(), branch(2), on(), branch(4), branch(1), end()});
    CHECK(found.within == Numbers{0, 0, 1, 1});
    CHECK(found.loop_of == Numbers{0, 1, 2, 2, 3, 3, 1, 0});
}

TEST_CASE("branches back to one instruction make one loop", "[static]") {
    const LoopForest found = forest({on(), branch(3), branch(0), on(), branch(0), end()});
    CHECK(found.within == Numbers{0, 0});
    CHECK(found.loop_of == Numbers{1, 1, 1, 1, 1, 0});
}

// Compilers move rarely executed code behind the kernel's end.
TEST_CASE("a branch back from what is only reached from before is no loop", "[static]") {
    const LoopForest found = forest({branch(3), on(), end(), on(), jump(1)});
    CHECK(found.within == Numbers{0});
    CHECK(found.loop_of == Numbers{0, 0, 0, 0, 0});
    // A jump out of a loop and back into it belongs to the loop.
    CHECK(forest({on(), branch(4), branch(1), end(), jump(2)}).loop_of == Numbers{0, 1, 1, 0, 1});
}

TEST_CASE("loops in which nothing counts stand behind the others", "[static]") {
    // The first loop is larger than the second, which contains a counted instruction.
    std::vector<FlowStep> steps{on(), on(), on(),      branch(1), on(),
                                on(), on(), branch(6), branch(4), end()};
    steps[5].access = true;
    const LoopForest found = find_loops(steps);
    CHECK(found.first_uncounted == 2);
    CHECK(found.within == Numbers{0, 0, 0, 1});
    CHECK(found.loop_of == Numbers{0, 2, 2, 2, 1, 1, 3, 3, 1, 0});
    CHECK(found.counted_loop_of(2) == 0);
    CHECK(found.counted_loop_of(6) == 1);
    CHECK(forest(steps).first_uncounted == 4);
}

TEST_CASE("where a jump goes anywhere no loop is known", "[static]") {
    CHECK(forest({on(), branch(0), {.target = {}, .goes_anywhere = true}}).within == Numbers{0});
}

}  // namespace code_loops_test

namespace basic_blocks_test {

// Basic blocks in machine code

using namespace camber;

namespace {

FlowStep step(FlowStep flow = {}) {
    flow.counts = {{"total", 1}};
    return flow;
}
FlowStep load(bool predicated = false) {
    return {.target = {},
            .access = true,
            .predicated = predicated,
            .noticed = true,
            .counts = {{"total", 1}, {"global_loads_4", 1}}};
}
FlowStep branch(std::size_t target) {
    return step({.target = target});
}
FlowStep jump(std::size_t target) {
    return step({.goes_on = false, .target = target});
}
FlowStep end() {
    return step({.goes_on = false, .target = {}, .ends = true});
}

using Numbers = std::vector<int>;

std::vector<results::BasicBlock> blocks_of(const std::vector<FlowStep>& steps) {
    return find_basic_blocks(steps, find_loops(steps));
}

std::int64_t total(const results::BasicBlock& block) {
    return block.instructions.at("total");
}

}  // namespace

TEST_CASE("a branch over an access makes blocks", "[static]") {
    const auto blocks = blocks_of({step(), branch(4), load(), load(true), end()});
    REQUIRE(blocks.size() == 3);
    CHECK(total(blocks[0]) == 2);
    CHECK(blocks[0].to == Numbers{1, 2});
    CHECK_FALSE(blocks[0].ends);
    CHECK(blocks[1].instructions ==
          std::map<std::string, std::int64_t>{{"total", 2}, {"global_loads_4", 2}});
    CHECK(blocks[1].predicated == std::map<std::string, std::int64_t>{{"global_loads_4", 1}});
    CHECK(blocks[1].to == Numbers{2});
    CHECK(blocks[2].ends);
    CHECK(blocks[2].to.empty());
}

TEST_CASE("ways without accesses are one, the shortest", "[static]") {
    // A branch over two instructions, and an if with an else.
    CHECK(blocks_of({branch(3), step(), step(), load(), end()}).empty());
    const auto blocks =
        blocks_of({branch(3), load(), end(), branch(6), step(), jump(7), step(), load(), end()});
    REQUIRE(blocks.size() == 3);
    CHECK(blocks[0].to == Numbers{1, 2});
    // The branch, the single instruction of the shorter side, and the code after them.
    CHECK(total(blocks[2]) == 4);
    CHECK(blocks[2].instructions.at("skippable") == 2);
}

TEST_CASE("an end among the instructions leaves two blocks", "[static]") {
    const auto blocks =
        blocks_of({step(), step({.goes_on = true, .target = {}, .ends = true}), load(), end()});
    REQUIRE(blocks.size() == 2);
    CHECK(blocks[0].ends);
    CHECK(blocks[0].to == Numbers{1});
    // Code that cannot be reached is ignored.
    CHECK(blocks_of({load(), end(), load(), end()}).empty());
}

TEST_CASE("a loop without accesses is gone through once", "[static]") {
    CHECK(blocks_of({load(), step(), branch(1), end()}).empty());
    const auto blocks = blocks_of({load(), load(), branch(1), end()});
    REQUIRE(blocks.size() == 3);
    CHECK(blocks[1].loop == 1);
    CHECK(blocks[1].to == Numbers{1, 2});
}

TEST_CASE("of calls and of jumps to anywhere nothing is known", "[static]") {
    const std::vector<FlowStep> known{branch(2), load(), end()};
    CHECK(blocks_of(known).size() == 3);
    for (const FlowStep& flow :
         {FlowStep{.target = {}, .calls = true}, FlowStep{.target = {}, .goes_anywhere = true}}) {
        auto steps = known;
        steps.insert(steps.begin(), step(flow));
        steps[1].target = 3;
        CHECK(blocks_of(steps).empty());
    }
    CHECK(blocks_of({}).empty());
}

TEST_CASE("a text of too many blocks stays whole", "[static]") {
    std::vector<FlowStep> steps;
    for (std::size_t i = 0; i < most_basic_blocks; ++i) {
        steps.push_back(branch(steps.size() + 2));
        steps.push_back(load());
    }
    steps.push_back(end());
    CHECK(blocks_of(steps).empty());
}

}  // namespace basic_blocks_test
