// The least of a number that every place of a group has of its own, known to all of them: of the
// steps that each one's rows allow, the one that the board can take.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "harness/groups/group.hpp"
#include "harness/registry/division.hpp"

namespace camber {

class GroupMinimum {
  public:
    virtual ~GroupMinimum() = default;
    // Nothing is under way.
    virtual void begin() {}
    // What the places' middle queues have got so far leaves each its number; what they get from now
    // on finds the least in its place.
    virtual void take() = 0;
};

// `numbers`: where each place has its own, in its memory; of the group's first places, where they
// are fewer. They are of type float or double, as `size` says, 4 or 8 bytes, and neither negative
// nor NaN. Paths through the host find the least
// there, as Rustico 2012 did; on the others every place sends its number to every other one.
std::unique_ptr<GroupMinimum> make_group_minimum(ExchangePath path, Group& group,
                                                 std::vector<void*> numbers, std::size_t size);

// The same of the time before: nobody waits for the places' present numbers. Only the first time
// finds the least of those that it is given.
std::unique_ptr<GroupMinimum> make_lagged_minimum(ExchangePath path, Group& group,
                                                  std::vector<void*> numbers, std::size_t size);

}  // namespace camber
