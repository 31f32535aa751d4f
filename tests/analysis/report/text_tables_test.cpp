#include "analysis/report/report.hpp"

#include "harness/record/metric_names.hpp"
#include "tests/analysis/report/report_fixture.hpp"
#include "tests/catch.hpp"

namespace text_tables_test {

using namespace camber::report;
using namespace camber::report_test;
namespace metric = camber::metric;

namespace {

Report two_rows() {
    CaseRecord counted = timed_case("halo/16x16", "halo", 100, 1);
    counted.counters = {{metric::dram_read_bytes, 456}, {metric::dram_write_bytes, 456}};
    return report_of({document(
        "a.json", {counted, with_status(timed_case("a_b|c", "global", 1, 1), Status::skipped,
                                        "needs 50 % & \"more\", say")})});
}

}  // namespace

TEST_CASE("a report as Markdown", "[report]") {
    CHECK(to_markdown(two_rows()) ==
          "### life, 10 x 10, uint32\n\n"
          "GPU A, from a.json; copy bandwidth 10.0 GB/s\n\n"
          "| rank | variant | time/gen | Gcell/s | app GB/s | of copy, % | of limit, % | "
          "steps, % | speedup | verified |\n"
          "|---:|---|---:|---:|---:|---:|---:|---:|---:|---|\n"
          "| 1 | halo/16x16 | 100.00 ns | 1.00 | 8.0 | 80.0 | 91.2 DRAM | - | 1.00 | yes |\n\n"
          "- skipped: a\\_b\\|c: needs 50 % & \"more\", say\n");
}

TEST_CASE("a report as LaTeX has no special character left", "[report]") {
    const std::string text = to_latex(two_rows());
    CHECK_THAT(text, contains("\\begingroup\\footnotesize\n\\begin{longtable}{rlrrrrrrrl}\n"));
    CHECK_THAT(
        text,
        contains("1 & halo/16x16 & 100.00 ns & 1.00 & 8.0 & 80.0 & 91.2 DRAM & - & 1.00 & yes "
                 "\\\\\n"));
    CHECK_THAT(text, contains("-- & a\\_b\\textbar{}c & \\multicolumn{8}{l}{skipped: needs 50 \\% "
                              "\\& \\textquotedbl{}more\\textquotedbl{}, say} \\\\\n"));
    CHECK_THAT(text, contains("of copy, \\%"));
}

TEST_CASE("a report as CSV has one line per case under one header", "[report]") {
    const std::string text = to_csv(two_rows());
    CHECK(std::ranges::count(text, '\n') == 3);
    CHECK(text.starts_with("file,device,backend,workload,columns,rows,cell,boundary,variant,"));
    CHECK_THAT(text,
               contains(",median_ns_per_generation,") &&
                   contains(",iqr_ns,predicted_ns_per_generation,"
                            "predicted_low_ns_per_generation,predicted_high_ns_per_generation,"
                            "predicted_binding,predicted_is_uncertain,Gcell_per_s,"));
    CHECK_THAT(text, contains(",dram_bytes_per_cell,dram_source,l2_bytes_per_cell,l2_source,"
                              "l1_bytes_per_cell,l1_source,shared_bytes_per_cell,shared_source,"));
    CHECK_THAT(
        text,
        contains("\na.json,GPU A,cuda,life,10,10,uint32,dead,halo/16x16,halo,global "
                 "memory,ok,,passed,100,1,3,100,99,101,99,1,,,,,,1,8,0.8,DRAM,0.912,,1,,,1,"));
    CHECK_THAT(text, contains("skipped,\"needs 50 % & \"\"more\"\", say\",passed,"));
}

TEST_CASE("predicted times stand beside measured ones in the CSV", "[report]") {
    Report report = two_rows();
    report.groups[0].rows[0].predicted = PredictedRow{90, 72, 135, "L2", true};
    CHECK_THAT(to_csv(report), contains(",100,99,101,99,1,90,72,135,L2,true,1,8,0.8,"));
}

}  // namespace text_tables_test
