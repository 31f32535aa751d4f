// Campaign parts over several GPUs: their numbers of GPUs, and the results that published tables
// need from them.
#include <algorithm>
#include <set>

#include "harness/base/error.hpp"
#include "harness/cli/campaign/part_process.hpp"
#include "harness/cli/campaign/parts.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::campaign_gpu_parts_test {
namespace {

std::vector<std::string> values_of(const Part& part, const std::string& option) {
    std::vector<std::string> values;
    for (std::size_t k = 0; k + 1 < part.command.size(); ++k)
        if (part.command[k] == option) values.push_back(part.command[k + 1]);
    return values;
}

bool is_over_gpus(const Part& part) {
    return !values_of(part, "--gpus").empty();
}

const Part& named(const std::vector<Part>& parts, const std::string& name) {
    const auto found = std::ranges::find(parts, name, &Part::name);
    REQUIRE(found != parts.end());
    return *found;
}

std::vector<std::string> names_of(const std::vector<Part>& parts) {
    std::vector<std::string> names;
    for (const Part& part : parts) names.push_back(part.name);
    return names;
}

std::vector<Part> of_water(const std::vector<Part>& parts) {
    return chosen_parts(parts, {"sph-dam", "sph-bore"});
}

// Results of the part's command on a GPU, with times that halve on two GPUs: one case for each
// variant, with the size that its parameters imply.
results::Document results_of(const Part& part) {
    const Workload& workload = *find_workload("sph");
    ParameterSet parameters(workload.facts().parameters);
    for (const std::string& text : values_of(part, "--param")) {
        const auto equals = text.find('=');
        parameters.set(text.substr(0, equals), {std::stod(text.substr(equals + 1))});
    }
    const auto only = [&](const char* option) {
        const auto values = values_of(part, option);
        return values.empty() ? std::string() : values.front();
    };
    if (const std::string measure = only("--divide-by"); !measure.empty())
        parameters.set("divide_by", {measure == "start" ? 2.0 : 1.0});
    if (const std::string threshold = only("--balance-threshold"); !threshold.empty())
        parameters.set("balance_threshold",
                       {threshold == "adaptive" ? 0.0 : std::stod(threshold)});
    if (!only("--divide-along").empty()) parameters.set("divide_along", {1});
    std::vector<results::CaseRecord> cases;
    for (const std::string& variant : values_of(part, "--variant")) {
        results::CaseRecord record = published_test::timed_case(
            "sph/" + variant, workload.capabilities().parameter_start->size_for(parameters),
            {1e6, 1.01e6});
        for (const ParameterInfo& info : workload.facts().parameters)
            record.identity.workload_parameters[std::string(info.name)] = {
                parameters.value(info.name)};
        record.samples->generations_per_sample = 1;
        if (const std::string begin = only("--begin-at"); !begin.empty())
            record.identity.begin = std::stoi(begin);
        if (is_over_gpus(part)) {
            results::GroupRecord& group = record.identity.group.emplace();
            group.kind = "gpus";
            group.places = std::stoi(values_of(part, "--gpus").front());
            group.partition = "rows";
            group.allocation = "slab";
            group.exchange = "copies";
            group.overlap = true;
            for (double& ns : record.samples->ns) ns *= 1.05 / group.places;
            if (const auto rule = values_of(part, "--balance"); !rule.empty())
                group.balancing.emplace().rule = rule.front();
        }
        cases.push_back(std::move(record));
    }
    return published_test::document_of("NVIDIA H100", std::move(cases), part.name + ".json");
}

}  // namespace

TEST_CASE("parts over several GPUs go as far as they are asked to", "[campaign]") {
    CampaignSettings settings;
    const std::vector<std::string> usual = names_of(campaign_parts(settings));
    settings.most_gpus = 4;
    settings.gpus = 3;
    const auto parts = campaign_parts(settings);
    for (const char* const name : {"sph-dam-1m", "sph-dam-1.6m", "sph-bore-1.6m", "sph-dam-10m"})
        for (const int gpus : {2, 3, 4})
            for (const bool balanced : {false, true}) {
                // Ten million particles of the dam stay in balance.
                if (balanced && name == std::string("sph-dam-10m")) continue;
                const std::string full = std::string(name) + "-" + std::to_string(gpus) + "gpus" +
                                         (balanced ? "-balanced" : "");
                CAPTURE(full);
                const Part& part = named(parts, full);
                CHECK(part.alone == name);
                CHECK_THAT(part.purpose, contains(" on " + std::to_string(gpus) + " GPUs"));
                CHECK(values_of(part, "--gpus") == std::vector{std::to_string(gpus)});
                CHECK(values_of(part, "--balance").size() == (balanced ? 1 : 0));
                // The same number of iterations as the part on one GPU runs in a second.
                const double seconds = std::stod(values_of(part, "--sample-seconds").front());
                CHECK(seconds * gpus == Approx(1).epsilon(0.01));
                CHECK(values_of(part, "--param") == values_of(named(parts, name), "--param"));
                CHECK(part.left_out ==
                      (gpus == 4 ? "it needs 4 GPUs, and this machine has 3" : ""));
                CHECK((std::ranges::find(usual, full) != usual.end()) == (gpus == 2));
            }
    settings.most_gpus = 1;
    for (const Part& part : of_water(campaign_parts(settings))) CHECK_FALSE(is_over_gpus(part));
}

TEST_CASE("parts are chosen by what their names begin with, unless one has that name",
          "[campaign]") {
    const auto parts = campaign_parts({});
    const auto chosen = names_of(of_water(parts));
    CHECK(chosen.size() == 29);
    for (const std::string& name : chosen)
        CHECK((name.starts_with("sph-dam-") || name.starts_with("sph-bore-")));
    CHECK(names_of(chosen_parts(parts, {"sph-dam-1m"})) == std::vector<std::string>{"sph-dam-1m"});
    CHECK(names_of(chosen_parts(parts, {"life-uint8"})) == std::vector<std::string>{"life-uint8"});
    CHECK_THROWS_AS(chosen_parts(parts, {"sph-da"}), Error);
}

TEST_CASE("without a GPU particles are few, and the references are not divided", "[campaign]") {
    for (const char* const backend : {"simt", "cpu"})
        for (const Part& part : chosen_parts(campaign_parts({backend, true, {}}), {"sph"})) {
            CAPTURE(backend, part.name);
            if (part.left_out.empty())
                for (const std::string& parameter : values_of(part, "--param"))
                    CHECK_FALSE(parameter.starts_with("dp="));
            if (is_over_gpus(part) && backend == std::string("cpu"))
                CHECK(part.left_out == "the plain references are divided among no GPUs");
        }
    // Simulated devices are checked once in each scene: with and without balancing, by each division
    // and with each threshold.
    const auto parts = of_water(campaign_parts({"simt", true, {}}));
    CHECK(std::ranges::count_if(parts, [](const Part& part) {
              return is_over_gpus(part) && part.left_out.empty();
          }) == 16);
}

TEST_CASE("a part over several GPUs is expected to take as long as that on one", "[campaign]") {
    results::Document document;
    results::Run& run = document.context.run.emplace();
    run.command = {"camber", "campaign"};
    run.gpu.emplace().name = "NVIDIA H100";
    run.git = results::Commit{"0123456789abcdef", false};
    results::Campaign& campaign = document.campaign.emplace();
    campaign.backend = "cuda";
    const auto add = [&](const char* name, double seconds) {
        results::CampaignPart& part = campaign.parts.emplace_back();
        part.name = name;
        part.command = {"camber", "run"};
        part.status = results::PartStatus::whole;
        part.seconds = seconds;
    };
    add("sph-dam-1m", 40);
    add("sph-dam-1.6m", 50);
    add("sph-dam-1.6m-2gpus", 30);
    const std::string text = to_text(document);
    const ExpectedTimes times({text}, {}, "NVIDIA H100");
    const auto parts = campaign_parts({});
    CHECK(times.of(named(parts, "sph-dam-1m-2gpus")) == 40);
    CHECK(times.of(named(parts, "sph-dam-1.6m-2gpus")) == 30);
    CHECK(times.of(named(parts, "sph-dam-1.6m-2gpus-balanced")) == 50);
    CHECK_FALSE(times.of(named(parts, "sph-bore-1.6m-2gpus")));
}

TEST_CASE("the parts' files have what the tables of particles print", "[campaign][published]") {
    std::vector<results::Document> documents;
    for (const Part& part : of_water(campaign_parts({}))) documents.push_back(results_of(part));
    const auto cards = published::by_card(documents);
    int tables = 0;
    for (const published::Table& table : published::tables()) {
        if (table.here.workload != "sph" || !wants_series(table)) continue;
        ++tables;
        CAPTURE(table.id);
        const Reproduction made = reproduce(table, cards);
        CHECK(made.remarks.empty());
        REQUIRE(made.cards.size() == 1);
        // One series per variant, with and without balancing; the dam with ten million particles
        // without it; and those from later states, by division, rule, threshold and axis.
        const bool is_bore = table.here.parameters.front() == "scene=2";
        CHECK(made.cards.front().one_gpu.size() == (is_bore ? 2 : 4));
        const std::size_t later = table.here.size == "1015015x1" ? 0 : is_bore ? 12 : 3;
        CHECK(made.cards.front().series.size() ==
              (is_bore ? 2 : 3) * table.here.variants.size() + later);
        std::set<std::string> seen;
        for (const published::MeasuredSeries& series : made.cards.front().series) {
            const scaling::Series& of = series.analysis.series;
            CHECK(seen.insert(of.variant + std::to_string(of.columns) + series.stage).second);
            CHECK((series.balance.empty() || series.balance == "published" ||
                   (series.balance == "improved" && !series.stage.empty())));
            const bool has_both = table.scaling->series.size() > 1;
            CHECK(published::rows_beside(table, series).balance ==
                  (has_both && !series.balance.empty() ? "published" : ""));
            REQUIRE(series.analysis.points.size() == 2);
            CHECK(series.analysis.points.back().units == 2);
            CHECK(*series.analysis.points.back().speedup == Approx(2 / 1.05));
        }
    }
    CHECK(tables == 5);
}

TEST_CASE("what several GPUs, the CPU or its links are measured by is measured alone",
          "[cli][campaign]") {
    for (const Part& part : campaign_parts({})) {
        INFO(part.name);
        CHECK(part.wants_whole_machine() == (is_over_gpus(part) || part.has("--over", "gpus") ||
                                             part.on_cpu() || part.name == "transfer_overlap"));
    }
    const auto parts = campaign_parts({});
    CHECK(named(parts, "table-sciara-fv2-1-float64").wants_whole_machine());
    CHECK_FALSE(named(parts, "sph-dam-1m").wants_whole_machine());
    // Programs on the CPU take long for the horizon that variants on a GPU are verified with.
    const std::string plane = "table-sciara-fv3-1-float64-plane-400x400";
    CHECK(values_of(named(parts, plane), "--reference-generations") ==
          std::vector<std::string>{"4000"});
    CHECK(values_of(named(parts, plane + "-cpu"), "--reference-generations") ==
          std::vector<std::string>{"100"});
    CHECK(values_of(named(parts, plane + "-cpu"), "--generations") ==
          std::vector<std::string>{"370000"});
}

TEST_CASE("parts that make the states of a long run are not beside those that need them",
          "[cli][campaign]") {
    const auto parts = campaign_parts({});
    const auto at = [&](const std::string& name) { return &named(parts, name) - parts.data(); };
    for (const auto& [maker, user] :
         {std::pair("magflow-etna2001-graph", "magflow-etna2001"),
          std::pair("magflow-etna2001-5m-graph", "magflow-etna2001-5m"),
          std::pair("sciara_fv3-etna2006-graph", "sciara_fv3-etna2006-float32"),
          std::pair("sciara_fv3-etna2006-float64-graph", "sciara_fv3-etna2006-float64")}) {
        CAPTURE(maker);
        CHECK(at(user) - at(maker) >= 4);
    }
}

}  // namespace camber::campaign_gpu_parts_test
