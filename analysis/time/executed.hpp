// Estimates the machine instructions that a kernel's warps execute, from its machine code and the
// memory instructions that the executor counted.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "harness/results/case_record.hpp"

namespace camber {

// Times that an instruction of the text is executed by a warp, on average.
struct Executions {
    double usual = 1;
    double low = 1;
    double high = 1;
    double rounds = 1;  // times that loops with accesses are gone through, at least 1
    // Average instructions of a warp on the usual path, by class, with a key "total".
    std::map<std::string, double> instructions = {};
    // The same of a block's warp that has most to do: it goes through everything that any warp goes
    // through. Empty where the code's loops and schedule are not known.
    std::map<std::string, double> most = {};
    // The same of a warp that takes the forms of loops for the board's edge. Empty where none has.
    std::map<std::string, double> edge = {};
    // Executed pieces of code. A warp completes each piece before it repeats or leaves it: a loop
    // with its inner loops, or all code outside of loops.
    struct Piece {
        double instructions = 0;  // in all rounds
        double bytes = 0;
    };
    std::vector<Piece> pieces = {};
    // Share of its waits for memory in loops that neither store to shared memory nor have a
    // barrier: there each warp of a block goes at its own pace.
    double apart = 0;
    bool go_apart() const { return apart > 0.5; }
};

// Memory instructions tell which part of the text is executed: r of them per one in the text.
//
// r > 1: loops, and all of the text is taken to stand in them. r < 1: some branches are not taken.
// What they skip has more or fewer memory instructions than the rest, so that between r and 1 all
// is possible; taken is the geometric mean. r = 1: all is executed, but for paths that hardly any
// data take, such as those of a quotient's rare cases. Loads from shared memory count at most as
// often as the stores there tell: the compiler keeps words in registers.
//
// Where the code's skippable instructions are known (those that a branch may jump over and that
// touch no memory, results::Kernel), such paths are taken to be they: a compiler predicates what is
// short, and branches around what it may well save. They are left out, and count only in `high`.
// Where they are not known, nothing is left out, but in `low`: a third of the text, and three
// quarters where 8 % of it are branches and more.
//
// Where a block stages words in shared memory counts tell more: what stages has an instruction for
// each access and one for its address, and its own accesses tell how much of it is executed. What
// computes from them is executed, or, where the source does so in several places, for a tile's
// inside and for parts of its ring, `copies` of it: the share of these places that a warp goes
// through.
//
// `warps`: of the launch. `code`: with its instructions. `copies`: of loads from shared memory, see
// copies_executed().
Executions executions(const AccessCounts& counts, double warps, const results::Kernel& code,
                      double copies = 1);

// The same, but by loops (see region_executions()) where the code's are known, and by paths (see
// paths_taken()) where its branches are and a warp goes round no loop.
Executions executions(const LaunchModel& counts, double warps, const results::Kernel& code,
                      double copies = 1);

// Instructions of the text in these classes, by the names that results files give them.
double instructions(const results::Kernel& code, std::initializer_list<const char*> classes);

}  // namespace camber
