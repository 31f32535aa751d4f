// Reader of capture folders: whole ones, and damaged and hostile ones.
#include "harness/capture/capture_folder.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/capture/limits.hpp"
#include "harness/machine/binary/machine_code.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/mutations.hpp"
#include "tests/harness/capture/fake_cubin.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::capture_test::folder_test {

namespace {

using namespace capture;
namespace fs = std::filesystem;
using results_test::TestFolder;
using results_test::text_of;
using results_test::write_text;
using Json = nlohmann::ordered_json;

constexpr const char* kernel = "_Z5scalePKfPfi";

ByteVector bytes_of(const std::string& text) {
    return {text.begin(), text.end()};
}

// A capture with an input, an output of which one page changed, and a variable.
void write_capture(const fs::path& folder) {
    constexpr std::uint64_t base = 0x700000000000;
    constexpr std::size_t buffer_bytes = 3 * page_bytes + 100;
    LaunchFile file;
    file.program = {"./application", "input.dat"};
    file.device = "Fake GPU";
    file.compute_capability = 90;
    file.kernel = kernel;
    file.parameters = {{0, 8}, {8, 8}, {16, 4}};
    file.code = write_packed(folder, "kernel.cubin", bytes_of(fake_cubin({kernel})), false);
    CapturedLaunch launch;
    launch.grid = {24, 1, 1};
    launch.block = {128, 1, 1};
    launch.attributes = {{4, std::string(128, '0')}};
    const std::uint64_t words[] = {base, base + (1 << 20) + 256, 3000};
    launch.parameters = hexadecimal(words, 20);
    launch.pointers = {{0, 0}, {8, 1}};
    ByteVector before(buffer_bytes, 7);
    std::memcpy(before.data() + 16, words + 1, 8);
    Buffer input;
    input.address = base;
    input.bytes = buffer_bytes;
    input.before = write_packed(folder, "buffer-0.before.zst", before);
    input.pointers = {{16, 1}};
    Buffer output;
    output.address = base + (1 << 20);
    output.bytes = buffer_bytes;
    output.before = write_packed(folder, "buffer-1.before.zst", ByteVector(buffer_bytes));
    output.changed = {{1, 1}, {3, 1}};
    output.after = write_packed(folder, "buffer-1.after.zst", ByteVector(page_bytes + 100, 9));
    Buffer weight;
    weight.kind = BufferKind::variable;
    weight.name = "weight";
    weight.address = base + (2 << 20);
    weight.bytes = 4;
    weight.before = write_packed(folder, "buffer-2.before.zst", ByteVector(4, 1));
    launch.buffers = {input, output, weight};
    file.launches = {launch};
    file.times = ProgramTimes{10, 12345, true};
    write_text(folder / "launch.json", results::written(file).dump(1));
}

// Reads everything; returns the error's sentence, or "".
std::string problem_of(const fs::path& folder) {
    try {
        const Capture capture = read_capture(folder);
        for (std::size_t k = 0; k < capture.file.launches.size(); ++k) read_memory(capture, k);
        unsupported_construct(capture);
        return "";
    } catch (const Error& error) {
        CHECK((error.code() == ExitCode::usage || error.code() == ExitCode::unavailable));
        return error.what();
    }
}

// The problem after a change of launch.json.
std::string problem_after(const std::function<void(Json&)>& change) {
    const TestFolder folder;
    write_capture(folder.path());
    Json json = Json::parse(text_of(folder / "launch.json"));
    change(json);
    write_text(folder / "launch.json", json.dump());
    return problem_of(folder.path());
}

Json& buffer(Json& json, std::size_t index) {
    return json["launches"][0]["buffers"][index];
}

}  // namespace

TEST_CASE("a capture is read back", "[capture]") {
    const TestFolder folder;
    write_capture(folder.path());
    CHECK(is_capture(folder.path()));
    const Capture capture = read_capture(folder.path());
    CHECK(capture.file.kernel == kernel);
    CHECK(capture.file.launches.at(0).grid == Dimensions{24, 1, 1});
    const auto memory = read_memory(capture, 0);
    REQUIRE(memory.size() == 3);
    const ByteVector after = memory[1].after(capture.file.launches[0].buffers[1]);
    CHECK(after[page_bytes - 1] == 0);
    CHECK(after[page_bytes] == 9);
    CHECK(after[2 * page_bytes] == 0);
    CHECK(after[3 * page_bytes + 99] == 9);
    CHECK(memory[0].after(capture.file.launches[0].buffers[0]) == memory[0].before);
    CHECK(unsupported_construct(capture).empty());
}

TEST_CASE("hostile captures end in a sentence", "[capture]") {
    const auto with = [](const std::string& text) { return contains(text); };
    CHECK(problem_after([](Json&) {}).empty());
    CHECK_THAT(problem_after([](Json& j) { j["format"] = "other"; }), with("its format"));
    CHECK_THAT(problem_after([](Json& j) { j["version"] = 2; }), with("its version is 2"));
    CHECK_THAT(problem_after([](Json& j) { j["launches"] = Json::array(); }), with("no launch"));
    for (const char* name : {"../launch.json", "/etc/passwd", "", ".", "..", "a/b", "a\nb"})
        CHECK_THAT(problem_after([&](Json& j) { buffer(j, 0)["before"]["name"] = name; }),
                   with("no plain file name"));
    CHECK_THAT(problem_after([](Json& j) { j["code"]["name"] = "../kernel.cubin"; }),
               with("no plain file name"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 0)["bytes"] = UINT64_MAX; }),
               with("a buffer has"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 0)["address"] = UINT64_MAX - 5; }),
               with("a buffer has"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 0)["address"] = 0x700000000000 + (1 << 20); }),
               with("overlap"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 0)["before"]["bytes"] = 5; }),
               with("has 5 in its file"));
    CHECK_THAT(problem_after([](Json& j) {
                   buffer(j, 0)["bytes"] = 1ULL << 39;
                   buffer(j, 0)["before"]["bytes"] = 1ULL << 39;
                   buffer(j, 0)["address"] = 1ULL << 46;
               }),
               contains("bytes"));
    CHECK_THAT(
        problem_after([](Json& j) { buffer(j, 0)["before"]["hash"] = std::string(32, '0'); }),
        with("another hash"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 1)["changed"][1][0] = 4; }),
               with("changed in 1 from 4 on"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 1)["changed"][1][1] = UINT64_MAX; }),
               with("changed in"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 1)["changed"] = Json::array(); }),
               with("do not agree"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 0)["pointers"][0][0] = 3 * 4096 + 96; }),
               with("an address is at offset"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 0)["pointers"][0][1] = 3; }),
               with("buffer 3 of 3"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 0)["pointers"][0][1] = 2; }),
               with("is not in buffer 2"));
    CHECK_THAT(problem_after([](Json& j) { buffer(j, 2)["name"] = ""; }), with("no variable"));
    CHECK_THAT(problem_after([](Json& j) { j["launches"][0]["grid"][1] = 70000; }),
               with("24x70000x1 blocks"));
    CHECK_THAT(problem_after([](Json& j) { j["launches"][0]["grid"][0] = 0; }), with("blocks"));
    CHECK_THAT(problem_after([](Json& j) {
                   j["launches"][0]["block"] = {4294967295, 4294967295, 2};
               }),
               with("threads"));
    CHECK_THAT(problem_after([](Json& j) { j["launches"][0]["shared_bytes"] = 1 << 30; }),
               with("shared memory"));
    CHECK_THAT(problem_after([](Json& j) { j["launches"][0]["parameters"] = "00"; }),
               with("hexadecimal digits"));
    CHECK_THAT(
        problem_after([](Json& j) { j["launches"][0]["parameters"] = std::string(40, 'g'); }),
        with("hexadecimal digits"));
    CHECK_THAT(problem_after([](Json& j) { j["parameters"][1]["offset"] = 4; }),
               with("a parameter has"));
    CHECK_THAT(problem_after([](Json& j) { j["parameters"][1]["bytes"] = UINT64_MAX; }),
               with("a parameter has"));
    CHECK_THAT(problem_after([](Json& j) { j["kernel"] = "other"; }), with("has no kernel other"));
    CHECK_THAT(problem_after([](Json& j) { j["kernel"] = 5; }), with("at /kernel"));
}

TEST_CASE("damaged files of a capture end in a sentence", "[capture]") {
    const TestFolder folder;
    const auto problem = [&](const std::string& name, const std::string& content) {
        for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove(entry);
        write_capture(folder.path());
        write_text(folder / name, content);
        return problem_of(folder.path());
    };
    const std::string zst = "buffer-0.before.zst";
    write_capture(folder.path());
    const std::string whole = text_of(folder / zst);
    const std::string code = text_of(folder / "kernel.cubin");
    CHECK_THAT(problem(zst, whole.substr(0, whole.size() / 2)), contains("is truncated"));
    CHECK_THAT(problem(zst, whole + "x"), contains("data after its end"));
    CHECK_THAT(problem(zst, ""), contains(zst));
    CHECK_THAT(problem(zst, "no archive at all, but long enough to be one"),
               contains("not valid Zstandard data"));
    CHECK_THAT(problem(zst, text_of(folder / "buffer-2.before.zst")),
               contains("has 4 bytes, not the 12388"));
    CHECK_THAT(problem("buffer-2.before.zst", whole), contains("more than the 4 bytes"));
    std::string other = code;
    other[3] = 'X';
    CHECK_THAT(problem("kernel.cubin", other), contains("another hash"));
    CHECK_THAT(problem("kernel.cubin", code.substr(0, 100)), contains("100 bytes, not the"));
    // Right hashes, wrong content.
    const auto with_code = [&](const std::string& content) {
        for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove(entry);
        write_capture(folder.path());
        fs::remove(folder / "kernel.cubin");
        const StoredFile stored =
            write_packed(folder.path(), "kernel.cubin", bytes_of(content), false);
        Json json = Json::parse(text_of(folder / "launch.json"));
        json["code"]["bytes"] = stored.bytes;
        json["code"]["hash"] = stored.hash;
        write_text(folder / "launch.json", json.dump());
        return problem_of(folder.path());
    };
    CHECK_THAT(with_code("this is no ELF file"), contains("this is no ELF file"));
    CHECK_THAT(with_code(code.substr(0, 200)), contains("kernel.cubin"));
    std::string host = code;
    host[18] = 62;  // x86-64
    CHECK_THAT(with_code(host), contains("is not for a GPU"));
    // Links lead out of the folder.
    fs::remove(folder / zst);
    fs::create_symlink("/etc/passwd", folder / zst);
    CHECK_THAT(problem_of(folder.path()), contains("kernel.cubin"));
    CHECK_THAT(problem("x", ""), Catch::Matchers::Equals(""));
    fs::remove(folder / zst);
    fs::create_symlink("/etc/passwd", folder / zst);
    CHECK_THAT(problem_of(folder.path()), contains("cannot be read"));
    fs::remove(folder / "launch.json");
    CHECK_THAT(problem_of(folder.path()), contains("has no file launch.json"));
}

TEST_CASE("kernels that a replay cannot reproduce are named with the construct", "[capture]") {
    const TestFolder folder;
    write_capture(folder.path());
    Capture capture = read_capture(folder.path());
    CHECK(unsupported_construct(capture) == "");
    capture.code = bytes_of(fake_cubin({kernel}, {}, "malloc"));
    CHECK_THAT(unsupported_construct(capture),
               contains("scale(float const*, float*, int) allocates memory with malloc() in the "
                        "kernel, which a capture does not contain"));
    capture.code = bytes_of(fake_cubin({kernel}, {}, "free"));
    CHECK(unsupported_construct(capture) == "");
    for (const std::string_view access : {"TEX", "SULD", "SUST"}) {
        std::string code = fake_cubin({kernel});
        unsigned opcode = 0;
        while (opcode < 0xfff && binary::opcode_name(opcode, 90) != access) ++opcode;
        REQUIRE(binary::opcode_name(opcode, 90) == access);
        const std::size_t at = code.find("\x4d\x79");
        REQUIRE(at != code.npos);
        code[at] = static_cast<char>(opcode & 0xff);
        code[at + 1] = static_cast<char>(0x70 | opcode >> 8);
        capture.code = bytes_of(code);
        CHECK_THAT(unsupported_construct(capture),
                   contains("accesses textures or surfaces, which a capture does not contain"));
    }
    capture.file.kernel = "_ZN7nvshmem4waitEv";
    CHECK_THAT(unsupported_construct(capture), contains("waits for kernels of other processes"));
}

TEST_CASE("a thousand mutations of a capture end in a sentence or are read", "[capture][fuzz]") {
    const TestFolder folder;
    write_capture(folder.path());
    fuzz::Random random(1);
    const std::vector<std::string> names{"launch.json",         "launch.json",
                                         "launch.json",         "kernel.cubin",
                                         "buffer-0.before.zst", "buffer-1.after.zst"};
    std::map<std::string, std::string> sound;
    for (const std::string& name : names) sound[name] = text_of(folder / name);
    constexpr int mutations = 1200;
    int refused = 0;
    for (int k = 0; k < mutations; ++k) {
        const std::string& name = random.pick(names);
        const std::string& seed = sound[name];
        const bool as_json = name == "launch.json" && !random.one_in(3);
        const std::string mutated =
            as_json ? fuzz::mutated_json(seed, random) : fuzz::mutated_text(seed, {seed}, random);
        write_text(folder / name, mutated);
        if (name == "kernel.cubin") {
            // With a hash that fits, so that the machine code itself is read.
            Json json = Json::parse(sound["launch.json"]);
            json["code"]["bytes"] = mutated.size();
            json["code"]["hash"] = content_hash(bytes_of(mutated));
            write_text(folder / "launch.json", json.dump());
        }
        INFO("mutation " << k << " of " << name);
        const std::string problem = problem_of(folder.path());
        if (!problem.empty()) {
            ++refused;
            CHECK(problem.size() <= longest_sentence + 200);
            CHECK(problem.find('\n') == problem.npos);
            CHECK_THAT(problem, contains(folder.path().string()));
        }
        for (const auto& [file, content] : sound) write_text(folder / file, content);
    }
    CHECK(refused > mutations / 2);
}

}  // namespace camber::capture_test::folder_test
