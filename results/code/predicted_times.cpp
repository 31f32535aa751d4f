// Prints the predicted and measured times of committed boards, one line of JSON per variant, for
// accuracy.py and ablation.py:
//
//   predicted-times --cache FOLDER [--results FOLDER] [--threads N] [--without TERM,...]...
//       [--terms] FILE...
//
// Traces depend on the board and the variant, not on the device. They are stored in FOLDER, so that
// only the model's arithmetic is repeated. With --terms, each term of the model is also switched
// off in turn; with --without, the named terms are switched off together.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/common/predicted_times.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/model/modelling.hpp"
#include "harness/cli/model/timing.hpp"
#include "harness/measure/counting_pass.hpp"
#include "harness/predict/prediction.hpp"
#include "results/code/named_terms.hpp"
#include "results/code/stored_predictions.hpp"

namespace camber {
namespace {

std::filesystem::path results_folder = CAMBER_SOURCE_DIR "/results";

// Cases of one board in a file.
struct Board {
    std::string file;
    std::string card;
    std::string date;
    results::Document measured;  // with the cases of this board only
    std::string key;             // of the traces
};

std::string key_of(const results::Identity& identity) {
    std::string parameters;
    for (const auto& [name, values] : identity.workload_parameters)
        parameters += fmt::format("{}={} ", name, fmt::join(values, ","));
    return fmt::format("{} {}x{} {} {} {} {}", identity.workload, identity.size.columns,
                       identity.size.rows, identity.cell,
                       name(identity.boundary.value_or(Boundary::dead)), identity.rule, parameters);
}

// Boards of a file whose cases ran on one device with a hot cache.
std::vector<Board> boards_of(const std::string& file) {
    std::filesystem::path path = results_folder / (file + ".json");
    if (!std::filesystem::exists(path)) path += ".zst";
    const results::Document document = results::read_document(path);
    std::map<std::string, std::vector<results::CaseRecord>> by_board;
    for (const results::CaseRecord& record : document.cases)
        if (record.timed() && record.identity.backend == Backend::cuda)
            by_board[key_of(record.identity)].push_back(record);
    std::vector<Board> boards;
    for (auto& [key, cases] : by_board) {
        Board& board = boards.emplace_back();
        board.file = file;
        board.card = document.gpu().find("H200") != std::string::npos ? "h200" : "h100";
        board.date = document.context.date;
        board.measured = document;
        board.measured.cases = std::move(cases);
        board.key = key;
    }
    return boards;
}

std::string quoted(const std::string& text) {
    return fmt::format("\"{}\"", text);
}

// In place of a term's name: estimated instructions are replaced by counted ones.
constexpr std::string_view counted_instructions = "estimated instructions";

class Evaluation {
  public:
    Evaluation(std::filesystem::path cache, int threads)
        : cache_(std::move(cache)), threads_(threads) {
        std::filesystem::create_directories(cache_);
    }

    // Traces the board's variants, or reads their traces.
    void predict_all(const Board& board) {
        RunOptions options;
        take_board_of(board.measured, options);
        options.backend = name(Backend::simt);
        study_ = study_from(options);
        keep_measured(study_, board.measured);
        skip_impossible(study_);
        trace(board.key);
        times_.emplace(predictor_of(board));
        const auto& gpu = *board.measured.run()->gpu;
        issues_per_second_ = 4.0 * gpu.sm_count * static_cast<double>(gpu.sm_clock_hz.value_or(0));
    }

    // `without`: name of the term that `settings` switches off; "" if it is none.
    void print(const Board& board, std::string_view without, const ModelSettings& settings) {
        times_->set(settings);
        std::vector<ModelledVariant> models;
        for (const Variant* variant : study_.variants) {
            ModelledVariant& model = models.emplace_back();
            model.prediction = stored_.at(variant->info.name());
            set_time(model, *times_, {});
            if (without == counted_instructions) use_counted(model, board, settings);
        }
        const results::Identity& identity = board.measured.cases.front().identity;
        for (const TimedPrediction& p : beside_measured(models, board.measured))
            fmt::print(
                R"({{"without": {}, "file": {}, "measured_at": {}, "card": {}, "workload": {}, "columns": {}, "rows": {}, "variant": {}, )"
                R"("technique": {}, "measured": {:.6g}, "predicted": {:.6g}, "low": {:.6g}, )"
                R"("high": {:.6g}, "uncertain": {}, "generations": {}, "bound_by": {}, "instructions": {:.6g}, "counted": {:.6g}}})"
                "\n",
                quoted(std::string(without)), quoted(board.file), quoted(board.date),
                quoted(board.card), quoted(identity.workload), identity.size.columns,
                identity.size.rows, quoted(p.variant), quoted(p.technique), p.measured, p.predicted,
                p.low, p.high, p.uncertain, p.generations,
                quoted(std::string(name(time_of(models, p.variant).binding().resource))),
                instructions_of(time_of(models, p.variant)), counted(board, p.variant));
        std::fflush(stdout);
    }

  private:
    // With the ceilings of the card, because those of older files lack some.
    static TimePredictor predictor_of(const Board& board) {
        const auto ceilings = results_folder / "cards" / (board.card + ".json");
        const ModelDevice device = device_of(results::read_document(ceilings));
        return {device,
                parse_architecture(device.gpu.compute_capability),
                {results::CodeTable::of(board.measured)},
                submission_of(board.measured)};
    }

    static const PredictedTime& time_of(const std::vector<ModelledVariant>& models,
                                        const std::string& variant) {
        return *std::ranges::find(models, variant, [](const ModelledVariant& model) {
                    return model.prediction.variant->info.name();
                })->time;
    }

    // Predicts again with as many instructions as were counted, if the launch has one kernel.
    void use_counted(ModelledVariant& model, const Board& board, ModelSettings settings) {
        if (!model.time || model.prediction.kernels.size() != 1) return;
        const double estimated = instructions_of(*model.time);
        const double exact = counted(board, model.prediction.variant->info.name());
        if (estimated <= 0 || exact <= 0) return;
        const ModelSettings usual = settings;
        settings.executed_factor = exact / estimated;
        times_->set(settings);
        set_time(model, *times_, {});
        times_->set(usual);
    }

    // Predicted warp instructions of a launch; 0 if they take no time.
    double instructions_of(const PredictedTime& time) const {
        const auto issue = std::ranges::find(time.parts, TimeResource::issue, &TimePart::resource);
        if (issue == time.parts.end()) return 0;
        return issue->seconds * issues_per_second_;
    }
    // The same, as a hardware counter reports them; 0 if it was not read.
    static double counted(const Board& board, const std::string& variant) {
        for (const results::CaseRecord& record : board.measured.cases)
            if (record.identity.variant == variant)
                if (const auto found = record.counters.find("smsp__inst_executed.sum");
                    found != record.counters.end())
                    return found->second;
        return 0;
    }

    void trace(const std::string& key) {
        std::string file_name;
        for (const char c : key) file_name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
        const auto file = cache_ / file_name;
        if (current_ != key) {
            current_ = key;
            stored_ = read_predictions(file);
        }
        std::vector<const Variant*> missing;
        for (const Variant* variant : study_.variants) {
            const auto found = stored_.find(variant->info.name());
            if (found == stored_.end())
                missing.push_back(variant);
            else
                found->second.variant = variant;
        }
        for (auto& [name, prediction] : stored_) prediction.problem = study_.problem;
        if (missing.empty()) return;
        const InitialData initial{study_.workload, study_.initial, nullptr};
        Predictions all([&](const Variant& variant) {
            return predict(variant, study_.problem, initial, parse_architecture("9.0"));
        });
        all.begin(missing, threads_);
        for (const Variant* variant : missing)
            stored_.emplace(variant->info.name(), all.of(*variant));
        write_predictions(file, stored_);
    }

    std::filesystem::path cache_;
    int threads_;
    Study study_;
    std::optional<TimePredictor> times_;
    double issues_per_second_ = 0;
    std::string current_;
    std::map<std::string, Prediction> stored_;
};

// Settings without some terms, and how the lines name them.
struct WithoutTerms {
    std::string names;
    ModelSettings settings;
};

WithoutTerms without_terms(const std::string& names) {
    WithoutTerms without{names, {}};
    std::istringstream list(names);
    for (std::string one; std::getline(list, one, ',');) {
        const auto* const found = std::ranges::find(named_terms, one, &NamedTerm::name);
        if (found == named_terms.end()) throw std::invalid_argument("no term is named " + one);
        without.settings.switch_off(found->term);
    }
    return without;
}

int run(const std::vector<std::string>& arguments) {
    std::filesystem::path cache;
    bool terms = false;
    int threads = 2;
    std::vector<WithoutTerms> without;
    std::vector<std::string> files;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--cache" && i + 1 < arguments.size())
            cache = arguments[++i];
        else if (arguments[i] == "--results" && i + 1 < arguments.size())
            results_folder = arguments[++i];
        else if (arguments[i] == "--threads" && i + 1 < arguments.size())
            threads = std::stoi(arguments[++i]);
        else if (arguments[i] == "--terms")
            terms = true;
        else if (arguments[i] == "--without" && i + 1 < arguments.size())
            without.push_back(without_terms(arguments[++i]));
        else
            files.push_back(arguments[i]);
    }
    if (terms)
        for (const NamedTerm& term : named_terms)
            without.push_back(without_terms(std::string(term.name)));
    std::vector<Board> boards;
    for (const std::string& file : files)
        for (Board& board : boards_of(file)) boards.push_back(std::move(board));
    if (cache.empty() || boards.empty()) {
        std::fputs("predicted-times: give --cache FOLDER and names of results files\n", stderr);
        return 2;
    }
    std::ranges::stable_sort(boards, {}, &Board::key);
    Evaluation evaluation(cache, threads);
    for (const Board& board : boards) try {
            evaluation.predict_all(board);
            evaluation.print(board, "", {});
            for (const WithoutTerms& one : without)
                evaluation.print(board, one.names, one.settings);
            if (terms) evaluation.print(board, counted_instructions, {});
        } catch (const std::exception& error) {
            fmt::print(stderr, "{} {}: {}\n", board.file, board.key, error.what());
        }
    return 0;
}

}  // namespace
}  // namespace camber

int main(int argc, char** argv) {
    return camber::run({argv + 1, argv + argc});
}
