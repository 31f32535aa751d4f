// The program of the build tree consists of parts that are built at their first use.
#include <filesystem>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::parts_test {

using namespace cli_test;

// A copy of the program without its other parts.
class Copy {
  public:
    explicit Copy(const fs::path& folder) : folder_(folder) {
        fs::create_directories(folder_ / "kernels");
        fs::copy_file(built::program, program());
    }
    // `part`: a file such as "camber-commands.so".
    void add(const std::string& part) const {
        fs::copy_file(fs::path(built::program).parent_path() / part, folder_ / part);
    }
    Outcome run(const Arguments& arguments) const {
        return run_program(arguments, folder_, program().c_str());
    }

  private:
    fs::path program() const { return folder_ / "camber"; }

    fs::path folder_;
};

const Arguments small_run{"run",   "--backend", "simt",       "--size",
                          "64x64", "--variant", "halo/64x4/*"};

TEST_CASE("a run needs the kernels of its workload's cells alone") {
    const TestFolder folder;
    const Copy copy(folder.path());

    const Outcome without = copy.run(small_run);
    CHECK(without.exit_code == 5);
    CHECK_THAT(without.err, contains("the kernels of life are not built"));

    copy.add("kernels/camber-life.so");
    const Outcome words = copy.run(small_run);
    CHECK(words.err == "");
    CHECK(words.exit_code == 0);
    CHECK_THAT(words.out, contains("life/halo/64x4/align128"));

    const Arguments of_bits = with(small_run, {"--cell", "bits"});
    CHECK_THAT(copy.run(of_bits).err,
               contains("the kernels of life_bits are not built"));
    CHECK_THAT(copy.run(with(small_run, {"--cell", "uint8"})).err,
               contains("the kernels of life_uint8 are not built"));
}

TEST_CASE("a run of bits needs no kernels of words") {
    const TestFolder folder;
    const Copy copy(folder.path());
    copy.add("kernels/camber-life_bits.so");
    const Outcome bits = copy.run(with(small_run, {"--cell", "bits"}));
    CHECK(bits.err == "");
    CHECK(bits.exit_code == 0);
}

TEST_CASE("a run of another workload than the first needs the further ones") {
    const TestFolder folder;
    const Copy copy(folder.path());
    const Arguments blur = with(small_run, {"--workload", "blur"});
    const Outcome without = copy.run(blur);
    CHECK(without.exit_code == 5);
    CHECK_THAT(without.err, contains("the further workloads are not built"));

    copy.add("camber-workloads.so");
    CHECK_THAT(copy.run(blur).err, contains("the kernels of blur are not built"));
    copy.add("kernels/camber-blur.so");
    const Outcome run = copy.run(blur);
    CHECK(run.err == "");
    CHECK_THAT(run.out, contains("blur/halo/64x4/align128"));
}

TEST_CASE("a run with a user's file needs the library of the other commands") {
    const TestFolder folder;
    const Copy copy(folder.path());
    copy.add("kernels/camber-life.so");
    const std::string kernel = (source_folder / "tests/harness/own/kernels/halo.cu").string();
    const Arguments candidate{"run",    "--backend", "simt",        "--workload", "life",
                              "--size", "64x64",     "--candidate", kernel};
    const Outcome without = copy.run(candidate);
    CHECK(without.exit_code == 5);
    CHECK_THAT(without.err, contains("the compilers of user files, are not built"));
    // The option is wrong in any program, as the sentence of that library says.
    CHECK(copy.run(with(small_run, {"--sweep", "block=32x4"})).exit_code == 5);

    copy.add("camber-commands.so");
    copy.add("camber-workloads.so");
    const Outcome run = copy.run(candidate);
    CHECK(run.err == "");
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("life/halo.cu/32x8/align128"));
    const Outcome sweep = copy.run(with(small_run, {"--sweep", "block=32x4"}));
    CHECK(sweep.exit_code == 2);
    CHECK_THAT(sweep.err, contains("--sweep sets what is in a kernel's file"));
}

TEST_CASE("commands other than run are a part, and a list counts whole workloads only") {
    const TestFolder folder;
    const Copy copy(folder.path());
    copy.add("kernels/camber-life.so");
    const Outcome without = copy.run({"list"});
    CHECK(without.exit_code == 5);
    CHECK_THAT(without.err, contains("start the program as ./camber, which builds them"));

    copy.add("camber-commands.so");
    copy.add("camber-workloads.so");
    const Outcome some = copy.run({"list"});
    CHECK(some.exit_code == 0);
    CHECK_THAT(some.out, contains("life") && contains("-: the kernels of this"));

    copy.add("kernels/camber-life_bits.so");
    copy.add("kernels/camber-life_uint8.so");
    const std::string all = copy.run({"list", "variants", "--workload", "life"}).out;
    CHECK(all == run_program({"list", "variants", "--workload", "life"}, folder.path()).out);
}

}  // namespace camber::parts_test
