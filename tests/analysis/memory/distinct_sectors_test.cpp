#include "analysis/memory/distinct_sectors.hpp"
#include "tests/analysis/memory/toy_kernels.hpp"
#include "tests/catch.hpp"

namespace locality_test {

// Locality of accesses: pieces per block, and data that several launches of a step touch.

using namespace camber;

// Footprint of up to 128 bytes: words of a warp whose first lanes are active.
Footprint words(std::int64_t begin, int count) {
    const std::uint32_t active = count == 32 ? ~0u : (1u << count) - 1;
    return {make_request(
                4, [&](int lane) { return begin + 4 * lane; }, active),
            ~0u};
}

Locality locality(const DistinctSectors& launch, std::int64_t blocks, std::int64_t in_a_row,
                  StepSectors step = {}) {
    step.add(launch);
    return step.last(launch, blocks, in_a_row);
}

TEST_CASE("pieces of 256 bytes are counted for each block that reads from them", "[memory]") {
    DistinctSectors launch;
    launch.begin_block();
    launch.load(words(0, 32), 0);
    launch.load(words(128, 32), 1);  // the same piece
    launch.load(words(224, 16), 1);  // this piece and the next
    launch.write(words(4096, 32));
    launch.begin_block();
    launch.read(words(4, 1));
    launch.read(words(1 << 20, 32));
    CHECK(launch.read_pieces() == 2 + 2);
    CHECK(locality(launch, 2, 2).pieces_of_block == 2);
    CHECK(locality(launch, 0, 1).pieces_of_block == 0);
}

TEST_CASE("whole lines that a block shares with the one before it are counted", "[memory]") {
    DistinctSectors launch;
    launch.begin_block();
    launch.read(words(0, 32));
    launch.read(words(128, 32));
    launch.read(words(256, 8));
    launch.begin_block();
    launch.read(words(128, 16));
    CHECK(launch.read_beside() == 0);
    launch.load(words(192, 16), 0);  // the remaining sectors of the line
    CHECK(launch.read_beside() == 4);
    launch.load(words(128, 32), 1);  // counts once per block
    launch.read(words(256, 32));     // the preceding block has read one sector of it
    launch.write(words(0, 32));
    CHECK(launch.read_beside() == 4);
    launch.begin_block();
    launch.read(words(0, 32));  // written, not read, by the preceding block
    launch.read(words(256, 32));
    CHECK(launch.read_beside() == 8);
    CHECK(locality(launch, 3, 3).read_beside == 8);
    CHECK(locality(launch, 3, 1).read_beside == 0);
}

TEST_CASE("a step knows which of its launches touched a sector last", "[memory]") {
    const auto launch = [](std::int64_t begin, std::int64_t middle, std::int64_t end) {
        DistinctSectors sectors;
        sectors.begin_block();
        for (std::int64_t at = begin; at < end; at += 128) {
            if (at < middle)
                sectors.read(words(at, 32));
            else
                sectors.write(words(at, 32));
        }
        return sectors;
    };
    StepSectors step;
    const auto add = [&](const DistinctSectors& sectors) {
        step.add(sectors);
        return step.last(sectors, 1, 1);
    };
    const Locality first = add(launch(0, 6400, 12800));
    CHECK(first.touched_before.empty());
    CHECK(first.of_step == 400);
    const Locality second = add(launch(6400, 12800, 19200));
    CHECK(second.touched_before == std::vector<std::int64_t>{200});
    CHECK(second.of_step == 600);
    // The previous launch touched two thirds of it, only the first launch the rest.
    const Locality third = add(launch(3200, 6400, 12800));
    CHECK(third.touched_before == std::vector<std::int64_t>{200, 100});
    CHECK(third.of_step == 600);
    // A launch without a trace counts as a launch although its data is unknown.
    CHECK(add(DistinctSectors()).touched_before == std::vector<std::int64_t>{0, 0, 0});
    CHECK(add(launch(3200, 6400, 12800)).touched_before == std::vector<std::int64_t>{0, 300, 0, 0});
}

TEST_CASE("blocks that write different bytes of a sector are counted", "[memory]") {
    DistinctSectors launch;
    for (int block = 0; block < 5; ++block) {
        launch.begin_block();
        launch.write(words(8 * block, 1));  // a list: the first sector contains four elements
        launch.write(words(4096, 8));       // the same bytes by all blocks
        launch.read(words(8 * block, 32));
    }
    CHECK(launch.most_writers() == 4);
    CHECK(locality(launch, 5, 5).writers_of_sector == 4);
}

TEST_CASE("the trace of a board has those of boards without some blocks", "[memory]") {
    // Each block has a line of 128 bytes in one row; its halo has a line and a row on each side.
    const auto add = [](DistinctSectors& launch, int column, int row, int part) {
        launch.begin_block(part);
        for (int at = row - 1; at <= row + 1; ++at)
            for (int line = column - 1; line <= column + 1; ++line)
                launch.load(words(4096 * at + 128 * line, 32), 0);
        launch.write(words((1 << 20) + 4096 * row + 128 * column, 32));
    };
    const auto board = [&](int columns, int rows) {
        DistinctSectors launch;
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) add(launch, column, row, 0);
        return launch;
    };
    DistinctSectors launch;  // 4 x 3 blocks, and two columns and three rows inserted behind two
    for (int row = 0; row < 6; ++row)
        for (int column = 0; column < 6; ++column)
            add(launch, column, row,
                (2 <= column && column < 4 ? 1 : 0) + (2 <= row && row < 5 ? 2 : 0));
    StepSectors step;
    step.add(board(2, 2));
    step.add(launch);
    for (int b = 0; b < grid_parts; ++b) {
        const int columns = b & 1 ? 6 : 4;
        const int rows = b & 2 ? 6 : 3;
        const DistinctSectors small = board(columns, rows);
        CAPTURE(columns, rows);
        CHECK((launch.reads(b) == small.reads()));
        CHECK((launch.writes(b) == small.writes()));
        CHECK(launch.sectors(b) == small.sectors());
        CHECK(launch.sectors(b) == 4 * ((columns + 2) * (rows + 2) + columns * rows));
        CHECK(launch.read_beside(b) == small.read_beside());
        StepSectors of_small;
        of_small.add(board(2, 2));
        of_small.add(small);
        const Locality expected = of_small.last(small, columns * rows, columns);
        const Locality found = step.last(launch, columns * rows, columns, b);
        CHECK(found.touched_before == expected.touched_before);
        CHECK(found.touched_before.front() == 4 * (4 * 4 + 2 * 2));
        CHECK(found.of_step == expected.of_step);
        CHECK(found.read_beside == expected.read_beside);
    }
}

}  // namespace locality_test
