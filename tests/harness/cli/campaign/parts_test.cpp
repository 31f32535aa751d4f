#include "harness/cli/campaign/parts.hpp"

#include <algorithm>
#include <set>

#include "analysis/published/entries.hpp"
#include "analysis/published/ratios.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/campaign/part_process.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "harness/record/document.hpp"
#include "harness/registry/kernels.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::campaign_parts_test {
namespace {

CampaignSettings with_all_data() {
    CampaignSettings settings;
    for (const auto& [option, what] : campaign_data()) settings.data[option] = "folder";
    return settings;
}

bool has(const CommandLine& command, const std::string& word) {
    return std::ranges::find(command, word) != command.end();
}

std::vector<std::string> values_of(const CommandLine& command, const std::string& option) {
    std::vector<std::string> values;
    for (std::size_t k = 0; k + 1 < command.size(); ++k)
        if (command[k] == option) values.push_back(command[k + 1]);
    return values;
}

std::string workload_of(const Part& part) {
    const auto named = values_of(part.command, "--workload");
    return named.empty() ? "life" : named.front();
}

TEST_CASE("no two parts have one name or one command", "[campaign]") {
    std::set<std::string> names;
    std::set<CommandLine> commands;
    for (const Part& part : campaign_parts(with_all_data())) {
        INFO(part.name);
        CHECK(names.insert(part.name).second);
        CHECK(commands.insert(part.command).second);
        CHECK(part.purpose.ends_with('.'));
        CHECK(part.left_out.empty());
    }
}

TEST_CASE("a part for several GPUs is left out where there are fewer", "[campaign]") {
    const auto asks_for_two = [](const Part& part) {
        return values_of(part.command, "--gpus") == std::vector<std::string>{"2"};
    };
    for (const int gpus : {1, 2}) {
        CampaignSettings settings = with_all_data();
        settings.gpus = gpus;
        const auto parts = campaign_parts(settings);
        CHECK(std::ranges::any_of(parts, asks_for_two));
        for (const Part& part : parts)
            CHECK(part.left_out == (gpus > 1             ? ""
                                    : asks_for_two(part) ? "it needs 2 GPUs, and this machine has 1"
                                    : part.has("--over", "gpus") ? "it measures several GPUs"
                                                                 : ""));
    }
}

TEST_CASE("every workload is timed in all its variants, and its counters are read", "[campaign]") {
    const auto parts = campaign_parts({});
    for (const auto& workload : workloads()) {
        const std::string name(workload->name());
        INFO(name);
        CHECK(std::ranges::any_of(parts, [&](const Part& part) {
            return workload_of(part) == name && !has(part.command, "--variant") &&
                   !has(part.command, "--counters");
        }));
    }
}

TEST_CASE("every glob of a part matches a variant", "[campaign]") {
    load_all_kernels();
    for (const Part& part : campaign_parts(with_all_data())) {
        const std::string workload = workload_of(part);
        const auto cells = values_of(part.command, "--cell");
        for (const std::string& glob : values_of(part.command, "--variant")) {
            // Every workload has a reference.
            if (("/" + glob).find("/reference/") != std::string::npos) continue;
            INFO(part.name << " " << glob);
            CHECK(std::ranges::any_of(registry().variants(), [&](const Variant& variant) {
                const std::string name = variant.info.name();
                return variant.info.workload == workload &&
                       (cells.empty() || cells.front() == info(variant.info.cell).name) &&
                       (matches_glob(glob, name) || matches_glob(workload + "/" + glob, name));
            }));
        }
    }
}

TEST_CASE("the published tables' variants are all measured", "[campaign]") {
    const auto parts = campaign_parts(with_all_data());
    for (const published::Table& table : published::tables()) {
        if (!wants_times(table)) continue;
        for (const std::string& variant : published::variants_of(table)) {
            INFO(table.id << " " << variant);
            // A table may have rows of two workloads.
            const std::string workload = variant.substr(0, variant.find('/'));
            // The campaign uses a single GPU.
            if (published::variant_on_gpus(variant).gpus > 1) continue;
            // Speedups over all cores are over the source's program there.
            if (table.here.states > 0 && variant == workload + "/reference/threads") continue;
            CHECK(std::ranges::any_of(parts, [&](const Part& part) {
                const auto globs = values_of(part.command, "--variant");
                return part.runs() && workload_of(part) == workload &&
                       ((globs.empty() && variant.find("/reference/") == std::string::npos) ||
                        has(globs, variant) ||
                        std::ranges::any_of(globs, [&](const std::string& glob) {
                            return matches_glob(workload + "/" + glob, variant);
                        }));
            }));
        }
    }
}

TEST_CASE("without a GPU, what needs one is left out, and nothing is measured twice",
          "[campaign]") {
    for (const char* backend : {"simt", "cpu"}) {
        std::set<CommandLine> commands;
        for (const Part& part : campaign_parts({backend, true, {}})) {
            INFO(backend << " " << part.name);
            if (!part.left_out.empty()) continue;
            CHECK(commands.insert(part.command).second);
            for (const char* needs_gpu : {"--counters", "--cache"})
                CHECK_FALSE(has(part.command, needs_gpu));
            CHECK((has(part.command, backend) || !part.runs()));
        }
        CHECK(commands.size() > 10);
    }
}

TEST_CASE("what tables need of the CPU comes after what they need of a GPU, before maps",
          "[campaign]") {
    std::set<std::string> names;
    std::string order;  // one letter per run of consecutive parts of one kind
    for (const Part& part : campaign_parts(with_all_data())) {
        CHECK(names.insert(part.name).second);
        const bool table = part.name.starts_with("table-");
        const char kind = table ? (part.on_cpu() ? 'c' : 'g')
                          : part.name.find("etna") != std::string::npos ? 'm'
                                                                        : '-';
        if (order.empty() || order.back() != kind) order += kind;
    }
    CHECK(order == "-g-cm-");
}

TEST_CASE("expected times are those of the same card, if there are any", "[campaign]") {
    const auto campaign_on = [](const std::string& gpu, double seconds) {
        results::Document document;
        results::Run& run = document.context.run.emplace();
        run.command = {"camber", "campaign"};
        run.gpu.emplace().name = gpu;
        run.git = results::Commit{"0123456789abcdef", false};
        results::Campaign& campaign = document.campaign.emplace();
        campaign.backend = "cuda";
        for (const auto status : {results::PartStatus::whole, results::PartStatus::incomplete}) {
            results::CampaignPart& part = campaign.parts.emplace_back();
            part.name = status == results::PartStatus::whole ? "life" : "blur";
            part.command = {"camber", "run"};
            part.status = status;
            part.seconds = seconds;
        }
        return to_text(document);
    };
    const std::string a = campaign_on("NVIDIA A100", 10);
    const std::string h = campaign_on("NVIDIA H200", 5);
    const auto parts = campaign_parts({});
    const auto part = [&](const char* name) {
        return *std::ranges::find(parts, name, &Part::name);
    };
    const ExpectedTimes same({a, h}, {}, "NVIDIA H200");
    CHECK(same.of(part("life")) == 5);
    CHECK_FALSE(same.of(part("blur")));
    CHECK_FALSE(same.of(part("dog")));
    CHECK(same.origin() == "NVIDIA H200, commit 0123456789ab");
    CHECK(ExpectedTimes({a, h}, {}, "another").of(part("life")) == 10);
    CHECK_FALSE(ExpectedTimes({a, h}, {"cuda", true, {}}, "NVIDIA H200").of(part("life")));
    CHECK(ExpectedTimes({}, {}, "NVIDIA H200").origin().empty());
}

TEST_CASE("with a budget parts that time all variants leave out hopeless ones", "[campaign]") {
    CampaignSettings budgeted = with_all_data();
    budgeted.budgeted = true;
    const auto plain = campaign_parts(with_all_data());
    const auto parts = campaign_parts(budgeted);
    REQUIRE(parts.size() == plain.size());
    std::set<std::string> leaving_out;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        CAPTURE(parts[k].name);
        CHECK_FALSE(plain[k].leaves_out());
        if (!parts[k].leaves_out()) {
            CHECK(parts[k].command == plain[k].command);
            continue;
        }
        leaving_out.insert(parts[k].name);
        for (const char* const other :
             {"--variant", "--counters", "--graph", "--from-start", "--cache", "--gpus"})
            CHECK_FALSE(has(parts[k].command, other));
    }
    for (const char* const name :
         {"life", "blur", "surface_water", "water_flow", "extrema", "dog", "life-uint8"})
        CHECK(leaving_out.contains(name));
    for (const char* const name : {"sph", "transfer_overlap", "magflow", "life-counters"})
        CHECK_FALSE(leaving_out.contains(name));
    // Variants that published tables need are measured anyway.
    const auto life = std::ranges::find(parts, "life", &Part::name);
    CHECK_FALSE(values_of(life->command, "--keep").empty());
    // Nothing is timed without a GPU, so nothing is left out.
    budgeted.backend = "simt";
    for (const Part& part : campaign_parts(budgeted)) CHECK_FALSE(part.leaves_out());
}

}  // namespace
}  // namespace camber::campaign_parts_test
