// The .rle reader with hostile text: for any bytes, it returns a valid pattern or throws a
// camber::Error with a source location. Seeds are fixed; only the number of iterations depends on
// the clock.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "workloads/life/patterns.hpp"

namespace rle_fuzz_test {

namespace {

using Random = std::mt19937_64;

// Unlike the standard library's distributions, the same with every library.
std::size_t below(Random& random, std::size_t limit) {
    return random() % limit;
}

template <typename Container>
const auto& pick(Random& random, const Container& from) {
    return *(std::begin(from) + below(random, std::size(from)));
}

const std::array<std::string, 5> valid_files = {
    "#N Glider\n#C text\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n",
    "x=36,y=9\r\n24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo\r\n"
    "3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!\r\n",
    "#CXRLE Pos=0,-1377 Gen=3480106827776\n#r 23/3\nX = 5, Y = 5\n.A$\n#C within\n3$2\no!after",
    "x = 1000000, y = 1000000, rule = Life\n9999b12o$1000$99o5$!",
    "x = 1, y = 1, rule = 23/3,\no",
};

const std::array<std::string, 14> numbers = {
    "0",
    "1",
    "70",
    "65536",
    "1073741823",
    "1073741824",
    "1073741825",
    "2147483648",
    "1000000000000",
    "1000000000000000000",
    "-1",
    "18446744073709551617",
    "00000000000000000000000001",
    "99999999999999999999999999999999999999999999999999",
};

const std::array<std::string, 16> tokens = {
    "x = ", "y = ", ", rule = ", "B3/S23", ":T9,9", "\n", "\r\n", "\r",
    "#C ",  "#r ",  "#N ",       "b",      "o",     "$",  "!",    " ",
};

std::string random_bytes(Random& random) {
    std::string text(below(random, 60), '\0');
    for (char& c : text) c = static_cast<char>(random());
    return text;
}

std::string random_tokens(Random& random) {
    std::string text = below(random, 2) == 0 ? "x = 100, y = 100\n" : "";
    for (std::size_t left = below(random, 40); left > 0; --left) {
        text += below(random, 3) == 0 ? pick(random, numbers) : pick(random, tokens);
    }
    return text;
}

std::string mutated(Random& random) {
    std::string text = pick(random, valid_files);
    for (std::size_t left = 1 + below(random, 4); left > 0; --left) {
        const std::size_t at = below(random, text.size() + 1);
        switch (below(random, 6)) {
            case 0:
                text.resize(at);
                break;
            case 1:
                text.insert(at, 1, static_cast<char>(random()));
                break;
            case 2:
                text.insert(at, pick(random, numbers));
                break;
            case 3:
                text.insert(at, pick(random, tokens));
                break;
            case 4:
                text.erase(at, 1 + below(random, 5));
                break;
            default:
                if (at < text.size()) text[at] = static_cast<char>(random());
                break;
        }
    }
    return text;
}

std::string printable(const std::string& text) {
    std::ostringstream out;
    for (const char c : text) {
        if (c >= ' ' && c <= '~' && c != '\\') {
            out << c;
        } else {
            out << "\\x" << std::hex << static_cast<int>(static_cast<unsigned char>(c)) << ' ';
        }
    }
    return out.str();
}

bool sound(const camber::Pattern& pattern) {
    const auto inside = [&](const camber::CellPosition& cell) {
        return cell.row >= 0 && cell.row < pattern.rows && cell.column >= 0 &&
               cell.column < pattern.columns;
    };
    const auto out_of_order = [](const camber::CellPosition& a, const camber::CellPosition& b) {
        return a.row > b.row || (a.row == b.row && a.column >= b.column);
    };
    return pattern.columns >= 1 && pattern.columns <= camber::max_pattern_side &&
           pattern.rows >= 1 && pattern.rows <= camber::max_pattern_side &&
           std::ranges::all_of(pattern.live, inside) &&
           std::ranges::adjacent_find(pattern.live, out_of_order) == pattern.live.end();
}

// True for "fuzz:<line>:<column>: <reason>" on one line. A rule is quoted verbatim, so bytes above
// ASCII are allowed.
bool well_formed(const std::string& message) {
    std::istringstream in(message);
    std::string source;
    std::string reason;
    std::int64_t line = 0;
    std::int64_t column = 0;
    char colon = '\0';
    std::getline(in, source, ':');
    in >> line >> colon >> column;
    std::getline(in, reason);
    const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
    return source == "fuzz" && line >= 1 && column >= 1 && colon == ':' &&
           reason.starts_with(": ") && reason.size() > 10 && std::ranges::none_of(message, control);
}

// Returns "" if the reader behaves correctly, otherwise a description of the failure.
std::string misbehaviour(const std::string& text, bool& accepted) {
    try {
        std::istringstream in(text);
        accepted = sound(camber::read_rle(in, "fuzz"));
        return accepted ? "" : "returned an unsound pattern";
    } catch (const camber::Error& error) {
        accepted = false;
        if (error.code() != camber::ExitCode::usage) return "threw another exit code";
        return well_formed(error.what()) ? "" : "threw: " + printable(error.what());
    } catch (const std::exception& error) {
        return std::string("threw another type: ") + error.what();
    }
}

std::string round_trip_fault(Random& random) {
    const std::int64_t columns = 1 + static_cast<std::int64_t>(below(random, 120));
    const std::int64_t rows = 1 + static_cast<std::int64_t>(below(random, 20));
    const std::size_t density = below(random, 11);  // tenths, from 0 to 10
    std::vector<camber::CellPosition> live;
    std::ostringstream out;
    camber::write_rle(
        out, columns, rows,
        [&](std::int64_t row, std::int64_t column) {
            const bool alive = below(random, 10) < density;
            if (alive) live.push_back({row, column});
            return alive;
        },
        random_bytes(random));
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
        if (line.size() > 70) return "a line of " + std::to_string(line.size()) + " characters";
    }
    std::istringstream in(out.str());
    const camber::Pattern pattern = camber::read_rle(in, "fuzz");
    const bool equal = pattern.columns == columns && pattern.rows == rows && pattern.live == live;
    return equal ? "" : "not read back as written: " + printable(out.str());
}

// Calls `iteration` for about this long, at least once.
template <typename Iteration>
int repeat(std::chrono::milliseconds time, Iteration iteration) {
    const auto end = std::chrono::steady_clock::now() + time;
    int done = 0;
    do {
        iteration();
        ++done;
    } while (std::chrono::steady_clock::now() < end);
    return done;
}

}  // namespace

TEST_CASE("hostile text neither breaks the reader nor passes unsound", "[rle][fuzz]") {
    Random random(20240229);
    int accepted = 0;
    const int iterations = repeat(std::chrono::milliseconds(1900), [&] {
        std::string text;
        switch (below(random, 8)) {
            case 0:
                text = random_bytes(random);
                break;
            case 1:
                text = "x = 9, y = 9\n" + random_bytes(random);
                break;
            case 2:
            case 3:
                text = random_tokens(random);
                break;
            default:
                text = mutated(random);
                break;
        }
        bool fine = false;
        const std::string fault = misbehaviour(text, fine);
        if (fine) ++accepted;
        if (!fault.empty()) FAIL(fault << " for the text " << printable(text));
    });
    // Both outcomes must be common; otherwise the inputs test little.
    CHECK(accepted > iterations / 100);
    CHECK(accepted < iterations / 2);
}

TEST_CASE("every truncation of a valid file is read or rejected", "[rle][fuzz]") {
    for (const std::string& file : valid_files) {
        for (std::size_t length = 0; length <= file.size(); ++length) {
            bool fine = false;
            const std::string fault = misbehaviour(file.substr(0, length), fine);
            if (!fault.empty()) FAIL(fault << " for the first " << length << " of " << file);
            if (length == file.size() && !fine) FAIL("rejected: " << file);
        }
    }
}

TEST_CASE("a few bytes cannot ask for gigabytes", "[rle][fuzz]") {
    const auto start = std::chrono::steady_clock::now();
    std::string rows = "x = 1073741824, y = 1073741824\n";
    for (int row = 0; row < 1000; ++row) rows += "60000000o$";
    const std::array<std::string, 4> bombs = {
        rows,
        "x = 1073741824, y = 1\n1073741824o!",
        "x = 1000000000000000000, y = 1000000000000000000\no!",
        "x = 5, y = 5\n1000000000000o!",
    };
    for (const std::string& bomb : bombs) {
        bool fine = false;
        CHECK(misbehaviour(bomb, fine).empty());
        CHECK_FALSE(fine);
    }
    // Expanding any of them first would take far longer.
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("random boards survive writing and reading", "[rle][fuzz]") {
    Random random(19700404);
    repeat(std::chrono::milliseconds(1000), [&] {
        const std::string fault = round_trip_fault(random);
        if (!fault.empty()) FAIL(fault);
    });
}

}  // namespace rle_fuzz_test
