#include "harness/own/problem/array_workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/own/candidate_variant.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "harness/own/problem/array_definition.hpp"
#include "harness/own/problem/npy_file.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber {

namespace {

constexpr const char* array_reference_label = "the reference";

bool is_library(const std::filesystem::path& path) {
    return path.extension() == ".so";
}

// File whose lines name the arrays.
std::filesystem::path defining_file(const OwnProblem& problem) {
    return problem.reference.empty() || is_library(problem.reference) ? problem.definition
                                                                      : problem.reference;
}

// A number from 0 to 1 for floats, a whole number from 0 to 255 (127 for int8) for integers.
double random_value(const ArrayType& type, std::uint64_t seed, std::uint64_t array,
                    std::uint64_t index) {
    const double number = uniform(mix(seed, array), index);
    if (type.is_real()) return number;
    return std::floor(number * (type.scalar == Scalar::int8 ? 128 : 256));
}

}  // namespace

struct ArrayWorkload::Description {
    std::string name;
    std::string source;  // of the correct results
    ArrayDefinition definition;
    std::map<std::string, ArrayRule, std::less<>> rules;
    bool random = true;
    double checksum = 0;  // of the reference

    const NamedArray& largest() const {
        return *std::ranges::max_element(definition.arrays, {}, &NamedArray::elements);
    }
    WorkloadFacts facts() const {
        WorkloadFacts facts;
        facts.name = name;
        facts.summary = "arrays and kernels of one's own";
        facts.source = source;
        facts.cell_types = {largest().storage()};
        facts.usual_size = largest().lines();
        facts.parameters = {{"reference", {checksum}, "", "a checksum of what defines it"}};
        for (const auto& [array, rule] : rules)
            facts.parameters.push_back(
                {"tolerance_" + array,
                 {rule.absolute, rule.relative, static_cast<double>(rule.ulps),
                  rule.nan_equals_nan ? 1.0 : 0.0},
                 "",
                 fmt::format("comparison of {}: absolute, relative, ULPs, NaN equals NaN", array)});
        facts.file_format = "NumPy";
        facts.boundaries = {Boundary::dead};
        for (const NamedArray& array : definition.arrays)
            if (array.written) facts.written_fields.push_back(array.name);
        const double cells = static_cast<double>(largest().elements());
        const auto per_cell = [&](double bytes) {
            return PerCell{0, static_cast<int>(std::ceil(bytes / cells))};
        };
        double stored = 0;
        double moved = 0;
        for (const NamedArray& array : definition.arrays) {
            const auto bytes = static_cast<double>(array.bytes());
            stored += bytes;
            moved += bytes * (int{array.read} + int{array.written});
        }
        facts.stored = per_cell(stored);
        facts.moved = per_cell(moved);
        return facts;
    }
};

std::unique_ptr<ArrayWorkload> ArrayWorkload::make(const OwnProblem& problem) {
    const std::filesystem::path file = defining_file(problem);
    const bool by_files = !problem.expected.empty();
    if (by_files && !problem.reference.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--reference {} computes the correct results, and --expect gives "
                                "them: leave out one",
                                problem.reference.string()));
    if (file.empty())
        throw Error(ExitCode::usage,
                    "nothing names the arrays: give a kernel's file, or --reference with a kernel");
    const CandidateSource source = read_candidate(file, problem.options.settings);
    if (file == problem.reference) require_executor(source);
    auto description = std::make_shared<Description>();
    const std::filesystem::path& origin = problem.reference.empty() ? file : problem.reference;
    description->name = "own_" + CacheFolder::part(origin.stem().string());
    description->source = by_files ? "files of --expect" : problem.reference.string();
    description->definition = define_arrays(problem, source);
    description->rules =
        array_rules(description->definition.arrays, problem.rules, problem.tolerance);
    description->random = problem.fill == OwnProblem::Fill::random;
    Checksum checksum;
    for (const char c : source.defined + source.text) checksum.add(static_cast<std::uint8_t>(c));
    for (const auto& [name, bytes] : description->definition.expected) checksum.add(bytes);
    // A double represents only 53 bits exactly.
    description->checksum = static_cast<double>(checksum.value() >> 11);
    return std::unique_ptr<ArrayWorkload>(new ArrayWorkload(std::move(description), problem));
}

std::unique_ptr<ArrayWorkload> ArrayWorkload::make(
    const std::string& name, const std::string& source, ArrayDefinition definition,
    std::map<std::string, ArrayRule, std::less<>> rules) {
    auto description = std::make_shared<Description>();
    description->name = name;
    description->source = source;
    description->definition = std::move(definition);
    description->rules = std::move(rules);
    Checksum checksum;
    for (const auto& [array, bytes] : description->definition.expected) checksum.add(bytes);
    description->checksum = static_cast<double>(checksum.value() >> 11);
    return std::unique_ptr<ArrayWorkload>(new ArrayWorkload(std::move(description)));
}

ArrayWorkload::ArrayWorkload(std::shared_ptr<const Description> description)
    : Workload(description->facts()), description_(std::move(description)) {}

ArrayWorkload::ArrayWorkload(std::shared_ptr<const Description> description,
                             const OwnProblem& problem)
    : ArrayWorkload(std::move(description)) {
    if (is_library(problem.reference)) {
        library_ = std::make_unique<ReferenceLibrary>(problem.reference);
    } else if (!problem.reference.empty()) {
        add_candidate_name(array_reference_label);
        kernels_ = candidate_variant(problem.reference, *this, facts().cell_types.front(),
                                     problem.options);
        if (kernels_->info.shape.generations != 1)
            throw Error(ExitCode::usage,
                        fmt::format("{} computes {} generations in a launch, and a reference "
                                    "computes one: leave out generations=",
                                    problem.reference.string(),
                                    kernels_->info.shape.generations));
    }
}

Size ArrayWorkload::board() const {
    return description_->largest().lines();
}

std::vector<BoardField> ArrayWorkload::fields(ElementType) const {
    std::vector<BoardField> fields;
    for (const NamedArray& array : arrays())
        fields.push_back({array.name, array.storage(), {}, array.read, array.written});
    return fields;
}

const std::vector<NamedArray>& ArrayWorkload::arrays() const {
    return description_->definition.arrays;
}

NamedNumbers ArrayWorkload::scalars() const {
    return description_->definition.scalars;
}

ArrayRule ArrayWorkload::rule_of(std::string_view array) const {
    return description_->rules.find(array)->second;
}

std::string ArrayWorkload::describe_start(const InitialConditions& conditions,
                                          const ParameterSet&) const {
    return fmt::format("{}; seed {}", arrays_text(*this), conditions.seed);
}

State ArrayWorkload::initial(const InitialConditions& conditions) const {
    if (conditions.size != board() && conditions.size.cells() > 0)
        throw Error(ExitCode::usage,
                    fmt::format("{} consists of arrays, whose shapes --size {}x{} does not "
                                "determine: give --shape NAME=64x64 instead",
                                name(), conditions.size.columns, conditions.size.rows));
    const ArrayDefinition& definition = description_->definition;
    State state;
    for (std::size_t k = 0; k < arrays().size(); ++k) {
        const NamedArray& array = arrays()[k];
        HostField& field =
            state.fields.emplace_back(array.name, array.storage(), array.storage_size());
        if (const auto input = definition.inputs.find(array.name);
            input != definition.inputs.end()) {
            std::ranges::copy(input->second, field.bytes().begin());
            continue;
        }
        const auto fill = definition.fills.find(array.name);
        if (fill == definition.fills.end() && (!array.read || !description_->random)) continue;
        const auto value = [&](std::int64_t i) {
            if (fill == definition.fills.end())
                return random_value(array.type, conditions.seed, k, static_cast<std::uint64_t>(i));
            const auto word = [&](std::size_t w) {
                const std::string& text = fill->second.words()[w];
                return text == "i" ? ExpressionValue{static_cast<double>(i / array.type.lanes), true}
                                   : definition.words.find(text)->second;
            };
            return fill->second.evaluate(word).number;
        };
        for (std::int64_t i = 0; i < array.scalars(); ++i)
            put_scalar(field.bytes().data() + i * array.type.scalar_bytes(), value(i),
                       array.type.scalar);
    }
    return state;
}

void ArrayWorkload::compute(const State& from, State& to, const GenerationContext& context,
                            Poison poison) const {
    if (library_) {
        for (std::size_t k = 0; k < arrays().size(); ++k) {
            const NamedArray& array = arrays()[k];
            const auto start = from.fields[k].bytes();
            const auto bytes = to.field(array.name).bytes();
            std::ranges::copy(start, bytes.begin());
            if (!array.written || array.read) continue;
            const auto pattern = poison_of(array.type.scalar, poison);
            const auto size = static_cast<std::size_t>(array.type.scalar_bytes());
            for (std::size_t i = 0; i < bytes.size(); i += size)
                std::memcpy(bytes.data() + i, pattern.data(), size);
        }
        return library_->compute(arrays(), to);
    }
    simt::HostQueue queue(context.threads);
    queue.set_label(array_reference_label);
    const Problem problem{board(), context.boundary, facts().cell_types.front(),
                          context.parameters};
    const auto execution = kernels_->factories.at(Backend::simt)(queue, problem);
    execution->upload(from);
    execution->poison(poison);
    execution->advance(1);
    queue.synchronize();
    execution->download(to);
}

void ArrayWorkload::generation(const State& from, State& to,
                               const GenerationContext& context) const {
    const ArrayDefinition& definition = description_->definition;
    if (!definition.expected.empty()) {
        if (context.number > 0)
            throw Error(ExitCode::usage,
                        "the results of one generation are known: leave out --generations");
        for (std::size_t k = 0; k < arrays().size(); ++k) {
            const auto found = definition.expected.find(arrays()[k].name);
            if (found == definition.expected.end())
                std::ranges::copy(from.fields[k].bytes(), to.fields[k].bytes().begin());
            else
                std::ranges::copy(found->second, to.fields[k].bytes().begin());
        }
        return;
    }
    if (!library_ && !kernels_)
        throw Error(ExitCode::usage,
                    fmt::format("nothing defines the correct results of {}: give --reference, or "
                                "--expect NAME=FILE.npy",
                                name()));
    compute(from, to, context, Poison::first);
    const State first = to;
    std::vector<std::vector<std::int64_t>> suspects(arrays().size());
    bool any = false;
    const auto poisoned = [&](std::size_t k, const State& state, Poison poison) {
        std::vector<std::int64_t> found;
        const NamedArray& array = arrays()[k];
        if (!array.written) return found;
        const std::byte* const bytes = state.field(array.name).bytes().data();
        for (std::int64_t i = 0; i < array.scalars(); ++i)
            if (is_poison(bytes + i * array.type.scalar_bytes(), array.type.scalar, poison))
                found.push_back(i);
        return found;
    };
    for (std::size_t k = 0; k < arrays().size(); ++k) {
        suspects[k] = poisoned(k, to, Poison::first);
        any = any || !suspects[k].empty();
    }
    if (!any) return;
    // A correct integer may equal one poison pattern, but not both.
    compute(from, to, context, Poison::second);
    for (std::size_t k = 0; k < arrays().size(); ++k) {
        std::vector<std::int64_t> unwritten;
        std::ranges::set_intersection(suspects[k], poisoned(k, to, Poison::second),
                                      std::back_inserter(unwritten));
        if (unwritten.empty()) continue;
        throw Error(ExitCode::usage,
                    fmt::format("{} never writes {} of {} numbers of {}, the first of them {}, so "
                                "nothing says what is right there: write every element in the "
                                "reference",
                                description_->source, unwritten.size(), arrays()[k].scalars(),
                                arrays()[k].name, arrays()[k].place(unwritten.front())));
    }
    to = first;
}

FinalState ArrayWorkload::final_state(const State& state) const {
    FinalState final{"mass", 0, 0, {}};
    Checksum checksum;
    for (const NamedArray& array : arrays()) {
        const HostField& field = state.field(array.name);
        checksum.add(field.bytes());
        if (!array.written) continue;
        for (std::int64_t i = 0; i < array.scalars(); ++i)
            final.amount += number_at(field.bytes().data() + i * array.type.scalar_bytes(),
                                      array.type.scalar);
    }
    final.checksum = checksum.value();
    return final;
}

void ArrayWorkload::save(const State& state, const std::filesystem::path& path, const Run&) const {
    const bool several = facts().written_fields.size() > 1;
    for (const NamedArray& array : arrays()) {
        if (!array.written) continue;
        const std::filesystem::path named =
            path.parent_path() /
            fmt::format("{}-{}{}", path.stem().string(), array.name, path.extension().string());
        write_npy_array(several ? named : path, array, state.field(array.name));
    }
}

namespace {

// True if a board has no field with the target's type.
bool needs_array(const CamberType& target) {
    if (!target.name) return false;
    const auto type = array_type_named(target.name);
    if (!type) return false;
    if (type->lanes > 1) return true;
    switch (type->scalar) {
        case Scalar::uint8:
        case Scalar::int32:
        case Scalar::uint32:
        case Scalar::float32:
        case Scalar::float64:
            return false;
        default:
            return true;
    }
}

bool is_board_word(std::string_view text) {
    for (const std::string_view word : {"columns", "rows", "pitch", "halo"})
        if (text.find(word) != text.npos) return true;
    return false;
}

}  // namespace

bool is_array_problem(const OwnProblem& problem) {
    if (!problem.shapes.empty() || !problem.scalars.empty() || !problem.expected.empty() ||
        !problem.rules.empty() || is_library(problem.reference))
        return true;
    const std::filesystem::path file = defining_file(problem);
    const CandidateSource source = read_candidate(file, problem.options.settings);
    if (describe_arrays(source.directives)) return true;
    // A line with words of a board, or without a grid, is for a board.
    for (const KernelDirective& kernel : source.directives.kernels)
        if (kernel.grid.empty() || std::ranges::any_of(kernel.grid, is_board_word) ||
            std::ranges::any_of(kernel.arguments, is_board_word))
            return false;
    const HostLibrary host(compile_for_host(source, BuildCache(problem.options.cache)),
                           file.string());
    for (std::size_t k = 0; k < source.directives.kernels.size(); ++k) {
        const CamberKernel& kernel = host.kernel(k);
        for (int i = 0; i < kernel.count; ++i)
            if (needs_array(kernel.parameters[i].target)) return true;
    }
    return false;
}

}  // namespace camber
