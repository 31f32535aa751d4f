#include "harness/cli/campaign/folder.hpp"

#include <algorithm>

#include "harness/base/error.hpp"
#include "harness/cli/campaign/pages.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::campaign_folder_test {
namespace {

using results_test::TestFolder;
using results_test::write_text;

constexpr const char* on_host_alone = nullptr;

results::Run run_on(const char* card, const char* processor) {
    results::Run run;
    run.command = {"camber", "run"};
    run.cpu.emplace().model = processor;
    if (card != nullptr) {
        run.gpu.emplace().name = card;
        run.driver_version = "580.1";
        run.runtime = "13.0";
    }
    return run;
}

const Part& part_named(const std::vector<Part>& parts, const std::string& name) {
    const auto found = std::ranges::find(parts, name, &Part::name);
    REQUIRE(found != parts.end());
    return *found;
}

void write(const TestFolder& folder, const std::string& part, results::Run run) {
    results::Document document;
    document.context.run = std::move(run);
    write_text(folder / (part + ".json"), results::to_text(document));
}

}  // namespace

TEST_CASE("some parts of a GPU's campaign measure the CPU", "[campaign]") {
    const auto parts = campaign_parts({});
    for (const char* name : {"scaling-threads", "table-topa-figure-4-float32-2048x2048-cpu",
                             "magflow-etna2001-5m-cpu"})
        CHECK(part_named(parts, name).on_cpu());
    for (const char* name : {"life", "life-counters", "ceilings", "scaling-sms"})
        CHECK_FALSE(part_named(parts, name).on_cpu());
}

TEST_CASE("a campaign on a GPU goes on beside what it measured on the CPU", "[campaign]") {
    const auto parts = campaign_parts({});
    const TestFolder folder;
    write(folder, "life", run_on("NVIDIA H100", "Xeon"));
    write(folder, "scaling-threads", run_on(on_host_alone, "Xeon"));
    const CampaignFolder campaign(folder.path(), CampaignFolder::Use::look);
    CHECK(campaign.results(run_on("NVIDIA H100", "Xeon"), parts).size() == 2);
    // The same GPU in another host.
    CHECK_THROWS_WITH(campaign.results(run_on("NVIDIA H100", "EPYC"), parts),
                      contains("scaling-threads.json was measured elsewhere, processor "
                               "Xeon against EPYC"));
    // A kernel part without a GPU was verified on the CPU, not measured.
    write(folder, "life", run_on(on_host_alone, "Xeon"));
    CHECK_THROWS_WITH(campaign.results(run_on("NVIDIA H100", "Xeon"), parts),
                      contains("life.json was measured elsewhere, no GPU against NVIDIA"));
}

TEST_CASE("what a budget left out is measured by a campaign without one", "[campaign]") {
    CampaignSettings budgeted;
    budgeted.budgeted = true;
    const auto with_budget = campaign_parts(budgeted);
    const auto without = campaign_parts({});
    const TestFolder folder;
    results::Document document;
    document.context.run = run_on("NVIDIA H100", "Xeon");
    document.context.run->command = part_named(with_budget, "life").command;
    for (const bool left_out : {false, true, true}) {
        results::CaseRecord& record = document.cases.emplace_back();
        record.name = "life/halo/" + std::to_string(document.cases.size());
        record.status = results::Status::skipped;
        record.reason = "is predicted to take long";
        record.left_out = left_out;
    }
    write_text(folder / "life.json", results::to_text(document));
    const CampaignFolder campaign(folder.path(), CampaignFolder::Use::look);
    const auto results = campaign.results(run_on("NVIDIA H100", "Xeon"), without);
    REQUIRE(results.size() == 1);
    // The same part counts as the same command, however it is selected.
    const auto now = campaign.state(part_named(without, "life"), results);
    CHECK(now.status == results::PartStatus::incomplete);
    CHECK(now.hopeless == 2);
    const auto again = campaign.state(part_named(with_budget, "life"), results);
    CHECK(again.status == results::PartStatus::whole);
    CHECK(again.hopeless == 2);

    results::Document state;
    state.context = document.context;
    state.campaign.emplace().backend = "cuda";
    state.campaign->parts.push_back(again);
    const std::string readme = campaign_readme(state, folder.path());
    CHECK_THAT(readme, contains("2 left out as hopeless") &&
                           contains("`--resume` without `--budget` measures them"));
    CHECK(results::parse_document(to_text(state), "campaign.json").campaign->parts[0].hopeless ==
          2);
}

}  // namespace camber::campaign_folder_test
