// Particle workloads in the program: scenes, files, and errors.
#include <algorithm>

#include "harness/base/process.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace sph_program_test {

using namespace camber::cli_test;

TEST_CASE("particles run to a simulated time and are saved", "[cli][portable][sph]") {
    const TestFolder folder;
    for (const char* file : {"after.vtk", "after.csv"}) {
        const Outcome outcome =
            run_program({"run", "--workload", "sph", "--backend", "simt", "--param", "dp=0.08",
                         "--param", "time=0.004", "--variant", "neighbour_list/float4/plain/b128",
                         "--save", file, "--out", "run.json"},
                        folder.path());
        INFO(outcome.err << outcome.out);
        REQUIRE(outcome.exit_code == 0);
        CHECK_THAT(outcome.out, contains("DamBreak3D, dp 0.08 m"));
        CHECK_THAT(outcome.out, contains(" iterations: front 0.4"));
    }
    const Json run = Json::parse(text_of(folder.path() / "run.json"));
    const Json& account = run.at("benchmarks").at(0).at("camber").at("final").at("account");
    CHECK(account.at("time_s") >= 0.004);
    CHECK(account.at("iterations") > 5);
    for (const char* figure :
         {"particles", "front_m", "mean_height_m", "density_min", "density_max", "kinetic_j",
          "potential_j", "elastic_j", "missed_pairs"})
        CHECK(account.contains(figure));
    const std::string particles = std::to_string(account.at("particles").get<int>());

    const std::string vtk = text_of(folder.path() / "after.vtk");
    CHECK(vtk.starts_with("# vtk DataFile Version 3.0\ncamber sph, t = "));
    for (const std::string part :
         {"\nASCII\nDATASET POLYDATA\n", "\nPOINT_DATA ", "\nVECTORS velocity double\n",
          "\nSCALARS pressure double 1\nLOOKUP_TABLE default\n"})
        CHECK_THAT(vtk, contains(part));
    CHECK_THAT(vtk, contains("\nPOINTS " + particles + " double\n"));
    const std::string csv = text_of(folder.path() / "after.csv");
    CHECK(csv.starts_with("number,kind,x,y,z,vx,vy,vz,density,pressure\n0,1,0,0,0,"));
    CHECK(std::to_string(std::ranges::count(csv, '\n') - 1) == particles);

    // Pictures from the side, from either file.
    for (const char* file : {"after.vtk", "after.csv"})
        for (const std::string quantity : {"speed", "pressure"}) {
            const Outcome outcome =
                run_program({"picture", file, "--show", quantity, "-o", "side.png"}, folder.path());
            INFO(outcome.err);
            CHECK(outcome.exit_code == 0);
            CHECK_THAT(outcome.out, contains(particles +
                                             " particles, 175 of them water, from the "
                                             "side; " +
                                             quantity + " from "));
            CHECK(text_of(folder.path() / "side.png").starts_with("\x89PNG"));
        }
    const Outcome lava =
        run_program({"picture", "after.csv", "--show", "thickness"}, folder.path());
    CHECK(lava.exit_code == 2);
    CHECK_THAT(lava.err, contains("choose speed or pressure"));
    write_text(folder.path() / "cut.csv", csv.substr(0, csv.size() - 30));
    const Outcome cut = run_program({"picture", "cut.csv"}, folder.path());
    CHECK(cut.exit_code == 2);
    CHECK_THAT(cut.err, contains("cut.csv\" ends within its numbers; give a .vtk or .csv file"));
}

TEST_CASE("particles are divided among places", "[cli][portable][sph][group]") {
    const TestFolder folder;
    const auto run = [&](const Arguments& more) {
        return run_program(
            with({"run", "--workload", "sph", "--backend", "simt", "--param", "dp=0.08",
                  "--generations", "21", "--variant", "neighbour_list/float4/plain/b128",
                  "--variant", "neighbour_list_morton/*", "--out", "run.json"},
                 more),
            folder.path());
    };
    const Outcome outcome = run({"--gpus", "3", "--weights", "3,1,1", "--balance", "improved",
                                 "--exchange", "stores", "--exchange", "staged"});
    INFO(outcome.err << outcome.out);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("skipped sph/neighbour_list_morton/") &&
                                contains(": has its particles in no slices that places could "
                                         "share: neighbour_list has"));
    const Json document = Json::parse(text_of(folder.path() / "run.json"));
    int divided = 0;
    for (const Json& entry : document.at("benchmarks")) {
        const Json& record = entry.at("camber");
        if (record.at("status") != "ok") continue;
        ++divided;
        CHECK(record.at("verification").at("status") == "passed");
        const Json& group = record.at("group");
        CHECK(group.at("places") == 3);
        CHECK(group.at("balancing").at("rule") == "improved");
        CHECK(group.at("rows").size() == 3);
        CHECK(group.at("moved_rows") > 0);
    }
    CHECK(divided == 2);
    // One sentence for each case that is impossible.
    CHECK_THAT(run({"--gpus", "9"}).out,
               contains("each of 9 places needs a slice of cells, and with dp = 0.08 m there are "
                        "at most 8 along an axis: give fewer GPUs or a smaller dp"));
    CHECK_THAT(run({"--gpus", "2", "--exchange", "everything"}).out,
               contains("forces of edges travel, and never all that places have: choose staged"));
    CHECK_THAT(run({"--gpus", "2", "--partition", "columns"}).out,
               contains("places have whole slices of cells, which lie side by side as rows do"));
    CHECK_THAT(run({"--gpus", "2", "--halo-depth", "3"}).out,
               contains("particles cannot be divided so: places share the step's length"));
    CHECK_THAT(run({"--gpus", "2", "--balance", "published", "--balance-rows", "2"}).out,
               contains("slices change their place one by one"));
    CHECK_THAT(run({"--gpus", "8", "--divide-along", "z"}).out,
               contains("along the chosen axis: leave out --divide-along"));
}

TEST_CASE("what particles cannot be is a sentence", "[cli][portable][sph]") {
    const TestFolder folder;
    const auto error_of = [&](int code, const Arguments& more) {
        const Outcome outcome = run_program(
            with({"run", "--workload", "sph", "--backend", "simt"}, more), folder.path());
        CAPTURE(more, outcome.err);
        CHECK(outcome.exit_code == code);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        return outcome.err;
    };
    const auto with_parameter = [&](int code, const char* text) {
        return error_of(code, {"--param", text});
    };
    CHECK_THAT(with_parameter(2, "dp=0"), contains("dp = 0 is impossible: give a length above 0"));
    CHECK_THAT(with_parameter(2, "dp=3"), contains("leaves no particle of water: give at most"));
    // 490 GB for nearly as many particles as can be counted
    if (camber::available_host_memory() < 480'000'000'000)
        CHECK_THAT(
            with_parameter(5, "dp=0.00038"),
            contains(" bytes of memory, but ") && contains(" are available: give a larger dp"));
    CHECK_THAT(with_parameter(5, "dp=0.000001"), contains("bytes: give a larger dp"));
    CHECK_THAT(with_parameter(2, "scene=7"), contains("scene = 7 is impossible: give 0 for Dam"));
    CHECK_THAT(with_parameter(2, "rebuild=0"), contains("rebuild = 0 is impossible: give a whole"));
    CHECK_THAT(with_parameter(2, "rebuild=2.5"), contains("rebuild = 2.5 is impossible"));
    CHECK_THAT(with_parameter(2, "skin=-1"), contains("skin = -1 is impossible: give a number"));
    CHECK_THAT(error_of(2, {"--param", "skin=1", "--param", "rebuild=100"}),
               contains("skin = 1 is impossible: give a smaller one, or a smaller rebuild"));
    CHECK_THAT(with_parameter(2, "cfl=0"), contains("cfl = 0 is impossible: give a share above 0"));
    CHECK_THAT(with_parameter(2, "alpha=-1"), contains("alpha = -1 is impossible"));
    CHECK_THAT(with_parameter(2, "time=-1"), contains("time = -1 is impossible"));
    CHECK_THAT(error_of(2, {"--size", "100x100", "--param", "dp=0.1"}),
               contains("different numbers of particles: leave out --size"));
    CHECK_THAT(
        error_of(2, {"--input", "x.vtk"}),
        contains("there are no particles in x.vtk.state, the state beside x.vtk: give a file "
                 "that camber run --workload sph --save wrote"));
    CHECK_THAT(error_of(2, {"--save", "x.png"}), contains("ends in .vtk or .csv"));
    CHECK_THAT(error_of(2, {"--param", "time=0.1", "--generations", "3"}),
               contains("leave out --generations"));
}

TEST_CASE("water that blows up is saved as it was before", "[cli][portable][sph]") {
    const TestFolder folder;
    const auto run = [&](const Arguments& more) {
        return run_program(with({"run", "--workload", "sph", "--backend", "simt", "--variant",
                                 "neighbour_list/float4/plain/b128"},
                                more),
                           folder.path());
    };
    const Arguments wild{"--param", "dp=0.08", "--param", "alpha=20", "--param", "cfl=1"};
    for (const Arguments& end : {Arguments{"--generations", "2000"}, {"--param", "time=1"}}) {
        const Outcome outcome = run(with(wild, end));
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err,
                   contains("the fluid blows up in iteration ") && contains(" where particle ") &&
                       contains(": give a smaller cfl or alpha, or --save what it comes to"));
        const Outcome saved = run(with(with(wild, end), {"--save", "before.vtk"}));
        CHECK(saved.exit_code == 2);
        CHECK(std::ranges::count(saved.err, '\n') == 1);
        CHECK_THAT(saved.err, contains("; before.vtk has what it came to before"));
        const std::string vtk = text_of(folder.path() / "before.vtk");
        CHECK_THAT(vtk, contains("; camber: the fluid blows up in iteration "));
        CHECK_THAT(vtk, contains("\nPOINTS 876 double\n"));
        // The saved state is the last one before the failure: with shorter steps, it can be
        // resumed.
        const std::string head = text_of(folder.path() / "before.vtk.state");
        const auto at = head.find("\naccount iterations ");
        REQUIRE(at != std::string::npos);
        const std::string iterations = head.substr(at + 20, head.find('\n', at + 1) - at - 20);
        CHECK_THAT(saved.err, contains("blows up in iteration " + iterations + ", before "));
        const Outcome rest = run({"--input", "before.vtk", "--param", "cfl=0.01", "--param",
                                  "alpha=0.3", "--generations", "2"});
        INFO(rest.err);
        CHECK(rest.exit_code == 0);
        CHECK_THAT(rest.out, contains("dp 0.08 m, gone on from generation " + iterations));
        fs::remove(folder.path() / "before.vtk");
        fs::remove(folder.path() / "before.vtk.state");
    }
}

// Every variant, at an iteration that builds a neighbor list and at one that uses an earlier list.
TEST_CASE("particles go on where others were saved", "[cli][portable][sph][go-on][slow]") {
    const TestFolder folder;
    const auto run = [&](const std::string& save, const Arguments& more) {
        Outcome outcome = run_program(
            with({"run", "--workload", "sph", "--backend", "simt", "--save", save}, more),
            folder.path());
        CAPTURE(save, outcome.err, outcome.out);
        REQUIRE(outcome.exit_code == 0);
        return outcome.out;
    };
    const auto state = [&](const char* file) {
        return text_of(folder.path() / (std::string(file) + ".state"));
    };
    const Arguments problem{"--param", "dp=0.1", "--param", "rebuild=5"};
    for (const char* cell : {"float32", "float64"})
        for (const int first : {5, 8}) {
            CAPTURE(cell, first);
            const Arguments of{"--cell", cell};
            const auto until = [&](int generations) {
                return with(of, {"--generations", std::to_string(generations)});
            };
            run("whole.vtk", with(problem, until(17)));
            run("first.vtk", with(problem, until(first)));
            const std::string out =
                run("rest.vtk", with(until(17 - first), {"--input", "first.vtk"}));
            CHECK_THAT(out, contains("DamBreak3D, dp 0.1 m, gone on from generation " +
                                     std::to_string(first) + ")"));
            CHECK_THAT(out, contains(" after 17 iterations: front "));
            CHECK((state("rest.vtk") == state("whole.vtk")));
            // With another number of devices than before.
            const Arguments list{"--variant", "neighbour_list/*/read_only/b128"};
            run("first.csv", with(with(problem, until(first)), with(list, {"--gpus", "3"})));
            for (const char* devices : {"2", "3"}) {
                run("rest.csv", with(with(until(17 - first), {"--input", "first.csv"}),
                                     with(list, {"--gpus", devices, "--exchange", "stores"})));
                CHECK((state("rest.csv") == state("whole.vtk")));
            }
            run("rest.csv", with(until(17 - first), {"--input", "first.csv"}));
            CHECK((state("rest.csv") == state("whole.vtk")));
        }

    const auto error_of = [&](const Arguments& more, const char* cell = "float64") {
        const Outcome outcome = run_program(with({"run", "--workload", "sph", "--backend", "simt",
                                                  "--cell", cell, "--input", "first.vtk"},
                                                 more),
                                            folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        return outcome.err;
    };
    CHECK_THAT(error_of({"--param", "scene=4"}),
               contains("first.vtk has particles of DamBreak3D with dp = 0.1 m, which cannot go on "
                        "as a falling block with dp = 0.1 m: leave out --param dp and scene"));
    CHECK_THAT(error_of({"--param", "dp=0.05"}), contains("leave out --param dp and scene"));
    CHECK_THAT(error_of({"--param", "time=1e-5"}),
               contains(" cannot end at time = 1e-05 s: give a later time"));
    CHECK_THAT(error_of({}, "float32"), contains("choose --cell float64"));
}

TEST_CASE("a run of particles begins with a saved state, on any number of places",
          "[cli][portable][sph][states]") {
    const TestFolder folder;
    const Arguments particles{"run",
                              "--workload",
                              "sph",
                              "--backend",
                              "simt",
                              "--param",
                              "dp=0.08",
                              "--states-in",
                              "states",
                              "--out",
                              "r.json",
                              "--variant",
                              "neighbour_list/float4/plain/b128"};
    const auto final_of = [&](const Arguments& more) {
        Arguments all = particles;
        if (more.front() != "--begin-at") all.erase(all.begin() + 7, all.begin() + 9);
        const Outcome outcome = run_program(with(all, more), folder.path());
        INFO(outcome.err << outcome.out);
        REQUIRE(outcome.exit_code == 0);
        const Json record = results_in(folder / "r.json")["benchmarks"][0]["camber"];
        CHECK(record["verification"]["status"] == "passed");
        CHECK(record["final"]["account"]["iterations"] == 35);
        return record["final"]["checksum"].get<std::string>();
    };
    const std::string whole = final_of({"--generations", "35"});
    CHECK(final_of({"--begin-at", "10", "--generations", "25"}) == whole);
    // From the earlier state, and within the life of a list.
    CHECK(final_of({"--begin-at", "23", "--generations", "12", "--gpus", "2", "--divide-by",
                    "start"}) == whole);
    CHECK(final_of({"--begin-at", "23", "--generations", "12", "--gpus", "3", "--balance",
                    "published", "--balance-threshold", "adaptive", "--divide-along", "x"}) ==
          whole);
    std::error_code ignored;
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder / "states", ignored))
        files.push_back(entry.path().filename().string());
    std::ranges::sort(files);
    CHECK(files == std::vector<std::string>{"0000000010.state", "0000000023.state"});
    // A state of another run is refused.
    const Outcome other = run_program(
        with(particles, {"--begin-at", "10", "--generations", "5", "--param", "alpha=0.1"}),
        folder.path());
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains("another parameter alpha") && contains("delete it"));
}

}  // namespace sph_program_test
