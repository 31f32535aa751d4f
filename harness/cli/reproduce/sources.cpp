#include "harness/cli/reproduce/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/published/entries.hpp"
#include "analysis/published/ratios.hpp"
#include "analysis/published/work.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/record/merge.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

// True for results files in Google Benchmark's format; a folder also contains models, charts or
// schemas, for example.
bool has_cases(const std::string& text) {
    static const std::string key = "\"benchmarks\"";
    for (auto at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
        auto value = text.find_first_not_of(" \t\r\n", at + key.size());
        if (value == std::string::npos || text[value] != ':') continue;
        value = text.find_first_not_of(" \t\r\n", value + 1);
        if (value != std::string::npos && text[value] == '[') return true;
    }
    return false;
}

std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && is_json_file(entry.path()))
            files.push_back(entry.path());
    // The first file that contains a variant provides its time: "magflow" is sorted before
    // "magflow-counters", whose runs are short, and "magflow-dense".
    std::ranges::sort(files, {}, [](const fs::path& file) {
        return file.parent_path() / json_stem(file);
    });
    return files;
}

void add(std::vector<results::Document>& documents, results::Document document) {
    results::merge_repetitions(document);
    documents.push_back(std::move(document));
}

}  // namespace

std::vector<results::Document> documents_in(const std::string& folder,
                                            std::vector<std::string>* damaged) {
    std::vector<results::Document> documents;
    for (const fs::path& file : json_files(found_file(folder))) try {
            const std::string text = read_file(file, "results file", "one that camber run wrote");
            if (has_cases(text))
                documents.push_back(results::parse_document(text, file.string()));
            else if (damaged &&
                     !nlohmann::json::accept(text))  // it may be cut off before its cases
                damaged->push_back(fmt::format("{} is not a JSON document", file.string()));
        } catch (const Error& error) {
            if (!damaged) throw;
            damaged->push_back(sentence(error));
        }
    if (documents.empty())
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has no results file: give a folder that camber campaign "
                                "wrote, or a file of camber run",
                                folder));
    return documents;
}

std::vector<results::Document> documents_from(const std::vector<std::string>& paths) {
    std::vector<results::Document> documents;
    for (const std::string& path : paths)
        if (fs::is_directory(found_file(path)))
            for (results::Document& document : documents_in(path))
                add(documents, std::move(document));
        else
            add(documents, results::read_document(path));
    return documents;
}

namespace {

// A board that entries of a table refer to.
struct TableBoard {
    std::string size;
    std::string ground;
    int refine = 1;
    int generations = 0;  // 0: the table's number
    friend bool operator==(const TableBoard&, const TableBoard&) = default;
};

// Boards of a table, its own board first.
std::vector<TableBoard> boards_of(const published::Table& table) {
    std::vector<TableBoard> boards{{table.here.size, "", 1, 0}};
    const auto add = [&](const TableBoard& board) {
        if (!board.size.empty() && std::ranges::find(boards, board) == boards.end())
            boards.push_back(board);
    };
    for (const published::Column& column : table.columns)
        add({column.here.size, column.here.ground, 1, 0});
    for (const published::Row& row : table.rows)
        if (row.here) add({row.here->size, "", row.here->refine, row.here->generations});
    return boards;
}

// Splits a run into runs of one workload each: variants' names begin with theirs.
std::vector<RunOptions> by_workload(const RunOptions& options) {
    const auto workload_of = [](const std::string& variant) {
        return variant.substr(0, variant.find('/'));
    };
    std::vector<std::string> workloads{options.workload};
    for (const std::string& variant : options.variants)
        if (const std::string workload = workload_of(variant);
            find_workload(workload) != nullptr &&
            std::ranges::find(workloads, workload) == workloads.end())
            workloads.push_back(workload);
    if (workloads.size() == 1) return {options};
    std::vector<RunOptions> runs;
    for (const std::string& workload : workloads) {
        RunOptions run = options;
        run.workload = workload;
        const auto is_other = [&](const std::string& variant) {
            return workload_of(variant) != workload;
        };
        std::erase_if(run.variants, is_other);
        std::erase_if(run.whole, is_other);
        if (!run.variants.empty()) runs.push_back(std::move(run));
    }
    return runs;
}

// Splits a run into runs on one GPU, on each number of several GPUs, and of the plain references on
// the CPU, omitting runs without variants. `by_kernels`: the table has times of single kernels.
std::vector<RunOptions> by_machine(const RunOptions& options, bool by_kernels) {
    RunOptions on_gpu = options;
    RunOptions on_cpu = options;
    std::map<int, RunOptions> divided;
    std::erase_if(on_gpu.variants, [&](const std::string& name) {
        const auto [variant, gpus] = published::variant_on_gpus(name);
        if (gpus == 1) return false;
        RunOptions& run = divided.try_emplace(gpus, options).first->second;
        if (run.group.gpus == 0) run.variants.clear();
        run.group.gpus = gpus;
        run.variants.push_back(variant);
        return true;
    });
    const auto is_reference = [](const std::string& variant) {
        return variant.find("/reference/") != std::string::npos;
    };
    std::erase_if(on_gpu.variants, is_reference);
    std::erase_if(on_cpu.variants, std::not_fn(is_reference));
    on_cpu.backend = "cpu";
    on_cpu.whole.clear();
    std::vector<RunOptions> runs;
    if (!on_gpu.variants.empty()) runs.push_back(on_gpu);
    // Kernel times need launches that are timed one by one, not runs from the start.
    if (!on_gpu.variants.empty() && on_gpu.from_start && by_kernels) {
        on_gpu.from_start = false;
        on_gpu.generations = 0;
        runs.push_back(std::move(on_gpu));
    }
    for (auto& [gpus, run] : divided) runs.push_back(std::move(run));
    if (!on_cpu.variants.empty()) runs.push_back(std::move(on_cpu));
    return runs;
}

// True if the source's run on this board was an eruption on real ground.
bool needs_ground(const published::Table& table, const std::string& size) {
    const published::Work* const work =
        published::source_work(table, size.empty() ? Size{} : parse_size(size));
    return work != nullptr && !work->ground.empty();
}

// No verdict follows from another ground than the source's: a few steps have to do.
void shorten(RunOptions& run) {
    constexpr int enough = 2000;
    if (run.states == 0) return;
    run.generations = std::min(run.generations, enough);
    run.states = 0;
    run.reference_generations = 0;
    run.whole.clear();
}

}  // namespace

void set_board(RunOptions& options, const std::string& ground, int refine) {
    if (!ground.empty()) options.workload_options["ground"] = ground;
    if (refine > 1) options.workload_options["refine"] = std::to_string(refine);
}

RunOptions options_of(const published::Table& table, const std::string& cell) {
    const published::TableHere& here = table.here;
    RunOptions run;
    run.workload = here.workload;
    run.size = here.size;
    run.cell = cell;
    run.generations = here.generations;
    run.from_start = here.from_start;
    run.states = here.states;
    run.reference_generations = here.reference_generations;
    run.whole = here.whole;
    run.density = here.density;
    run.parameters = here.parameters;
    run.variants = published::variants_of(table, cell);
    for (const std::string& variant : here.whole)
        if (std::ranges::find(run.variants, variant) == run.variants.end())
            run.variants.push_back(variant);
    return run;
}

std::vector<RunOptions> runs_of(const published::Table& table, const RunOptions& options) {
    const bool by_kernels = std::ranges::any_of(table.columns, [](const published::Column& column) {
        return !column.here.kernels.empty();
    });
    std::vector<RunOptions> runs;
    for (const TableBoard& board : boards_of(table)) {
        const bool usual = board == TableBoard{table.here.size, "", 1, 0};
        if (options.size != table.here.size && !usual) continue;
        RunOptions run = options;
        if (!usual) run.size = board.size;
        if (board.generations > 0 && options.generations == table.here.generations)
            run.generations = board.generations;
        set_board(run, board.ground, board.refine);
        const bool generated = options.input.empty();
        // Only the cells of an input can be refined, and only generated ground can be replaced.
        if (board.refine > 1 && generated) continue;
        if (!board.ground.empty() && !generated) continue;
        if (board.refine > 1) run.size.clear();
        if (generated && needs_ground(table, board.size)) shorten(run);
        for (const RunOptions& part : by_workload(run))
            for (RunOptions& one : by_machine(part, by_kernels)) runs.push_back(std::move(one));
    }
    return runs;
}

std::vector<std::string> cells_of(const published::Table& table) {
    std::vector<std::string> cells;
    const auto add = [&](const std::string& cell) {
        if (!cell.empty() && std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
    };
    add(table.here.cell);
    for (const published::Column& column : table.columns) add(column.here.cell);
    for (const published::Statement& stated : table.conclusions) {
        add(stated.cell);
        add(stated.than_cell);
    }
    return cells.empty() ? std::vector<std::string>{""} : cells;
}

}  // namespace camber
