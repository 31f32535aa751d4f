// Reading and writing of NumPy files.
#include "harness/own/problem/npy_file.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "tests/catch.hpp"

namespace camber::npy_file_test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}
std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A file of that version with the given header, followed by `elements` bytes 1, 2, 3...
std::string file_of(int version, const std::string& header, std::size_t elements) {
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    const int width = version == 1 ? 2 : 4;
    for (int i = 0; i < width; ++i) bytes += static_cast<char>(header.size() >> (8 * i));
    bytes += header;
    for (std::size_t i = 1; i <= elements; ++i) bytes += static_cast<char>(i);
    return bytes;
}

std::string header_of(const std::string& descr, const std::string& order,
                      const std::string& shape) {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string rejected(const std::string& bytes) {
    const TemporaryFolder folder("test arrays");
    const fs::path path = folder.path() / "a.npy";
    write(path, bytes);
    try {
        read_npy(path, "cells");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        CHECK_THAT(error.what(), contains("a.npy"));
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("arrays of all types come back as they were written", "[npy]") {
    const TemporaryFolder folder("test arrays");
    const fs::path path = folder.path() / "a.npy";
    for (const ElementType element : {ElementType::uint8, ElementType::uint32, ElementType::int32,
                                      ElementType::float32, ElementType::float64}) {
        HostField field("cells", element, {5, 3});
        unsigned char next = 1;
        for (std::byte& byte : field.bytes()) byte = std::byte{next++};
        write_npy(path, field);
        const std::string bytes = text_of(path);
        // NumPy aligns the elements so that files can be memory-mapped.
        CHECK((bytes.size() - field.bytes().size()) % 64 == 0);
        const HostField read = read_npy(path, "other");
        CHECK(read.name() == "other");
        CHECK(read.element() == element);
        CHECK(read.size() == Size{5, 3});
        CHECK(std::ranges::equal(read.bytes(), field.bytes()));
    }
}

TEST_CASE("the header is the one that numpy writes", "[npy]") {
    const TemporaryFolder folder("test arrays");
    const fs::path path = folder.path() / "a.npy";
    HostField field("cells", ElementType::int32, {2, 1});
    field.cells<std::int32_t>()[1] = -2;
    write_npy(path, field);
    // Bytes of numpy.save("a.npy", numpy.array([[0, -2]], dtype="int32")).
    std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
    expected += "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2), }";
    expected.append(127 - expected.size(), ' ');
    expected += '\n';
    expected += std::string("\x00\x00\x00\x00\xfe\xff\xff\xff", 8);
    CHECK(text_of(path) == expected);
}

TEST_CASE("versions, and arrays of one dimension", "[npy]") {
    const TemporaryFolder folder("test arrays");
    const fs::path path = folder.path() / "a.npy";
    for (const int version : {1, 2, 3}) {
        write(path, file_of(version, header_of("|u1", "False", "(2, 3)"), 6));
        const HostField field = read_npy(path, "cells");
        CHECK(field.size() == Size{3, 2});
        CHECK(field.cells<std::uint8_t>()[3] == 4);
    }
    write(path, file_of(1, header_of("|u1", "False", "(4,)"), 4));
    CHECK(read_npy(path, "cells").size() == Size{4, 1});
    // A single row is stored identically in C and Fortran order.
    write(path, file_of(1, header_of("|u1", "True", "(1, 4)"), 4));
    CHECK(read_npy(path, "cells").size() == Size{4, 1});
}

TEST_CASE("what is no board is named", "[npy]") {
    CHECK_THAT(rejected("P5 3 3 255"), contains("is no .npy file: save the array with numpy.save"));
    CHECK_THAT(rejected(""), contains("is no .npy file"));
    CHECK_THAT(rejected(file_of(9, header_of("|u1", "False", "(2, 3)"), 6)),
               contains("is of version 9 of .npy files"));
    const std::string good = file_of(1, header_of("|u1", "False", "(2, 3)"), 6);
    CHECK_THAT(rejected(good.substr(0, 30)), contains("ends within its header"));
    CHECK_THAT(rejected(good.substr(0, good.size() - 1)),
               contains("has 5 bytes of elements, and 2 rows of 3 uint8 are 6"));
    CHECK_THAT(rejected(good + "x"), contains("has 7 bytes of elements"));
    const auto with = [&](const std::string& descr, const std::string& order,
                          const std::string& shape) {
        return rejected(file_of(1, header_of(descr, order, shape), 6));
    };
    CHECK_THAT(with("<f2", "False", "(2, 3)"),
               contains("has elements of type <f2: save it as float32"));
    CHECK_THAT(with(">f4", "False", "(2, 3)"), contains("has its bytes in the other order (>f4)"));
    CHECK_THAT(with("|u1", "True", "(2, 3)"), contains("numpy.ascontiguousarray(array)"));
    CHECK_THAT(with("|u1", "False", "(1, 2, 3)"), contains("has 3 dimensions"));
    CHECK_THAT(with("|u1", "False", "()"), contains("has 0 dimensions"));
    CHECK_THAT(with("|u1", "False", "(0, 3)"), contains("has 0 rows of 3 elements"));
    CHECK_THAT(with("|u1", "False", "(99999999999, 3)"), contains("has 99999999999 rows"));
    CHECK_THAT(with("|u1", "Maybe", "(2, 3)"), contains("has a header that numpy does not write"));
    CHECK_THAT(with("|u1", "False", "(-2, 3)"), contains("a header that numpy does not write"));
    CHECK_THAT(rejected(file_of(1, "{'shape': (2, 3)}", 6)), contains("numpy does not write"));
    CHECK_THAT(rejected(file_of(1, "{'descr': [('a', '<f4')], }", 6)),
               contains("has structures as elements"));
    CHECK_THAT(rejected(file_of(1, std::string(50, '{'), 6)), contains("numpy does not write"));
}

}  // namespace camber::npy_file_test
