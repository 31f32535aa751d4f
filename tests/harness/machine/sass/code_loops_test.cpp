// Loops of a program text.
#include "harness/machine/sass/code_loops.hpp"

#include "tests/catch.hpp"

namespace code_loops_test {

using namespace camber;

namespace {

FlowStep on() {
    return {};
}
FlowStep jump(std::ptrdiff_t target) {
    return {false, target, false};
}
FlowStep branch(std::ptrdiff_t target) {
    return {true, target, false};
}
FlowStep end() {
    return {false, {}, false};
}

LoopForest forest(const std::vector<FlowStep>& steps) {
    return find_loops(steps, std::vector<bool>(steps.size(), true));
}

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("what lies between a branch back and its target is a loop", "[static]") {
    const LoopForest found = forest({on(), on(), on(), branch(1), end()});
    CHECK(found.within == Numbers{0, 0});
    CHECK(found.loop_of == Numbers{0, 1, 1, 1, 0});
    // Of one instruction.
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

// What is rarely taken stands behind the kernel's end.
TEST_CASE("a branch back from what is only reached from before is no loop", "[static]") {
    const LoopForest found = forest({branch(3), on(), end(), on(), jump(1)});
    CHECK(found.within == Numbers{0});
    CHECK(found.loop_of == Numbers{0, 0, 0, 0, 0});
    // But out of a loop and back into it belongs to the loop.
    CHECK(forest({on(), branch(4), branch(1), end(), jump(2)}).loop_of == Numbers{0, 1, 1, 0, 1});
}

TEST_CASE("loops in which nothing counts stand behind the others", "[static]") {
    // The first is larger than the second, in which there is one of its kind.
    const std::vector<FlowStep> steps{on(), on(), on(),      branch(1), on(),
                                      on(), on(), branch(6), branch(4), end()};
    std::vector<bool> counted(steps.size());
    counted[5] = true;
    const LoopForest found = find_loops(steps, counted);
    CHECK(found.first_uncounted == 2);
    CHECK(found.within == Numbers{0, 0, 0, 1});
    CHECK(found.loop_of == Numbers{0, 2, 2, 2, 1, 1, 3, 3, 1, 0});
    CHECK(found.counted_loop_of(2) == 0);
    CHECK(found.counted_loop_of(6) == 1);
    CHECK(forest(steps).first_uncounted == 4);
}

TEST_CASE("where a jump goes anywhere no loop is known", "[static]") {
    CHECK(forest({on(), branch(0), {false, {}, true}}).within == Numbers{0});
}

}  // namespace code_loops_test
