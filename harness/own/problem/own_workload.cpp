#include "harness/own/problem/own_workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/poison.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/own/candidate_variant.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "harness/own/problem/npy_file.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber {

namespace {

constexpr const char* only_field = "cells";  // field of plain `in` and `out`
constexpr const char* reference_label = "the reference";

ElementType element_of_parameter(const CamberType& type, const std::string& text,
                                 const std::string& place) {
    if (type.kind == CamberType::floating && type.size == 4) return ElementType::float32;
    if (type.kind == CamberType::floating && type.size == 8) return ElementType::float64;
    if (type.kind == CamberType::integer && type.size == 4) return ElementType::int32;
    if (type.kind == CamberType::integer && type.size == 1) return ElementType::uint8;
    throw Error(ExitCode::usage,
                fmt::format("{}: the type of {}'s cells is not known: make the parameter a pointer "
                            "to float, double, int, unsigned or unsigned char, or describe arrays, "
                            "by a line // camber: shape NAME=64x64",
                            place, text));
}

// Fields of the kernels' arguments, without the temporary fields that the file adds itself.
std::vector<BoardField> fields_of(const CandidateSource& source, const HostLibrary& host) {
    std::vector<BoardField> fields;
    for (std::size_t k = 0; k < source.directives.kernels.size(); ++k) {
        const KernelDirective& kernel = source.directives.kernels[k];
        const CamberKernel& compiled = host.kernel(k);
        const auto count = static_cast<std::size_t>(compiled.count);
        for (std::size_t i = 0; i < std::min(kernel.arguments.size(), count); ++i) {
            const std::string& text = kernel.arguments[i];
            const std::size_t point = std::min(text.find('.'), text.size());
            const std::string word = text.substr(0, point);
            const bool reads = word == "in" || word == "inout";
            const bool writes = word == "out" || word == "inout";
            if (!reads && !writes) continue;
            const std::string name = point < text.size() ? text.substr(point + 1) : only_field;
            if (std::ranges::find(source.directives.fields, name, &FieldDirective::name) !=
                source.directives.fields.end())
                continue;
            const ElementType element =
                element_of_parameter(compiled.parameters[i].target, text,
                                     fmt::format("{}:{}", source.path.string(), kernel.line));
            auto found = std::ranges::find(fields, name, &BoardField::name);
            if (found == fields.end()) {
                fields.push_back({name, element, {}, false, false});
                found = std::prev(fields.end());
            }
            if (found->element != element)
                throw Error(ExitCode::usage,
                            fmt::format("{}:{}: {} has cells of {}, and elsewhere they are {}: "
                                        "give two fields two names",
                                        source.path.string(), kernel.line, text, info(element).name,
                                        info(found->element).name));
            found->read = found->read || reads;
            found->written = found->written || writes;
        }
    }
    if (std::ranges::none_of(fields, &BoardField::written))
        throw Error(ExitCode::usage,
                    fmt::format("{} writes no field, so there is nothing to compare: name an "
                                "argument out",
                                source.path.string()));
    return fields;
}

// Random number from 0 to 1, a hash of all arguments (splitmix64).
double random_number(std::uint64_t seed, std::uint64_t field, std::uint64_t cell) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (field << 48) + cell + 1;
    z *= 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-53;
}

template <class T>
void fill_random(HostField& field, std::uint64_t seed, std::uint64_t number) {
    constexpr double values = std::is_integral_v<T> ? 256 : 1;
    std::uint64_t cell = 0;
    for (T& value : field.cells<T>())
        value = static_cast<T>(values * random_number(seed, number, cell++));
}

template <class Work>
decltype(auto) with_element(ElementType element, const Work& work) {
    switch (element) {
        case ElementType::uint8:
            return work(std::uint8_t{});
        case ElementType::uint32:
            return work(std::uint32_t{});
        case ElementType::int32:
            return work(std::int32_t{});
        case ElementType::float32:
            return work(float{});
        case ElementType::bits:  // no kernel parameter has this type
        case ElementType::float64:
            break;
    }
    return work(double{});
}

// Copies `from`, repeated from its upper left corner or cropped.
void lay(const HostField& from, HostField& to) {
    const auto size = static_cast<std::size_t>(info(from.element()).size);
    const auto width = static_cast<std::size_t>(from.size().columns);
    const auto to_width = static_cast<std::size_t>(to.size().columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(to.size().rows); ++row) {
        const std::size_t source = row % static_cast<std::size_t>(from.size().rows);
        for (std::size_t column = 0; column < to_width; column += width)
            std::memcpy(to.bytes().data() + (row * to_width + column) * size,
                        from.bytes().data() + source * width * size,
                        std::min(width, to_width - column) * size);
    }
}

// Indices of the cells that contain `poison`, by field; fields without such cells are omitted.
std::map<std::string, std::vector<std::int64_t>> poisoned_cells(const Workload& workload,
                                                                const State& state, Poison poison) {
    std::map<std::string, std::vector<std::int64_t>> found;
    for (const HostField& field : state.fields) {
        if (!workload.writes(field.name())) continue;
        const auto size = static_cast<std::size_t>(info(field.element()).size);
        for (std::int64_t i = 0; i < field.size().cells(); ++i)
            if (is_poison(field.bytes().data() + static_cast<std::size_t>(i) * size,
                          field.element(), poison))
                found[field.name()].push_back(i);
    }
    return found;
}

}  // namespace

struct OwnWorkload::Description {
    std::string name;
    std::string source;
    std::vector<BoardField> fields;
    double checksum = 0;  // checksum of the reference's text

    WorkloadFacts facts() const {
        WorkloadFacts facts;
        facts.name = name;
        facts.summary = "what a kernel of one's own computes";
        facts.source = source;
        facts.cell_types = {fields.front().element};
        facts.usual_size = Size{512, 512};  // small, because the reference runs on the executor
        facts.parameters = {
            {"reference", {checksum}, "", "a checksum of the kernel that defines it"}};
        facts.file_format = "NumPy";
        int stored = 0;
        int moved = 0;
        for (const BoardField& field : fields) {
            const int size = info(field.element).size;
            stored += size;
            moved += size * (int{field.read} + int{field.written});
            if (field.written) facts.written_fields.push_back(field.name);
        }
        const auto per_cell = [&](int bytes) {
            const int size = info(fields.front().element).size;
            return PerCell{bytes / size, bytes % size};
        };
        facts.stored = per_cell(stored);
        facts.moved = per_cell(moved);
        return facts;
    }
};

std::unique_ptr<OwnWorkload> OwnWorkload::make(const OwnProblem& problem) {
    const CandidateSource source = read_candidate(problem.reference, problem.options.settings);
    require_executor(source);
    const std::string library = compile_for_host(source, BuildCache(problem.options.cache));
    add_candidate_name(reference_label);
    auto description = std::make_shared<Description>();
    description->name = "own_" + CacheFolder::part(problem.reference.stem().string());
    description->source = problem.reference.string();
    description->fields = fields_of(source, HostLibrary(library, problem.reference.string()));
    Checksum checksum;
    for (const char c : source.defined + source.text) checksum.add(static_cast<std::uint8_t>(c));
    // A double represents only 53 bits exactly.
    description->checksum = static_cast<double>(checksum.value() >> 11);
    return std::unique_ptr<OwnWorkload>(new OwnWorkload(std::move(description), problem));
}

OwnWorkload::OwnWorkload(std::shared_ptr<const Description> description, const OwnProblem& problem)
    : Workload(description->facts()),
      description_(std::move(description)),
      fields_(description_->fields),
      fill_(problem.fill),
      tolerance_(problem.tolerance) {
    read_inputs(problem);
    reference_ =
        candidate_variant(problem.reference, *this, facts().cell_types.front(), problem.options);
    if (reference_->info.shape.generations != 1)
        throw Error(ExitCode::usage,
                    fmt::format("{} computes {} generations in a launch, and a reference computes "
                                "one: leave out generations=",
                                problem.reference.string(), reference_->info.shape.generations));
}

void OwnWorkload::read_inputs(const OwnProblem& problem) {
    std::vector<std::string> readable;
    for (const BoardField& field : fields_)
        if (field.read) readable.push_back(field.name);
    std::size_t next = 0;
    for (const std::string& text : problem.inputs) {
        const std::size_t equals = text.find('=');
        const bool named = equals != text.npos &&
                           std::ranges::find(readable, text.substr(0, equals)) != readable.end();
        if (!named && next == readable.size())
            throw Error(ExitCode::usage,
                        fmt::format("--input {} is one file too many: {} reads {}", text,
                                    problem.reference.string(), fmt::join(readable, ", ")));
        const std::string name = named ? text.substr(0, equals) : readable[next++];
        const std::filesystem::path path = named ? text.substr(equals + 1) : text;
        HostField input = read_npy(path, name);
        if (std::ranges::find(inputs_, name, &HostField::name) != inputs_.end())
            throw Error(ExitCode::usage,
                        fmt::format("--input gives {} twice: leave out one", name));
        BoardField& field = *std::ranges::find(fields_, name, &BoardField::name);
        // Pointers to int and unsigned are both bound as int32.
        const bool whole =
            field.element == ElementType::int32 && input.element() == ElementType::uint32;
        if (!whole && input.element() != field.element)
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" has elements of {}, and {} of {} has cells of {}: save "
                                    "it with array.astype('{}')",
                                    path.string(), info(input.element()).name, name,
                                    problem.reference.string(), info(field.element).name,
                                    info(field.element).name));
        if (!inputs_.empty() && inputs_.front().size() != input.size())
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" has {} rows of {} cells, and the first input has {} of "
                                    "{}: give arrays of one shape",
                                    path.string(), input.size().rows, input.size().columns,
                                    inputs_.front().size().rows, inputs_.front().size().columns));
        if (whole) {
            HostField as_int(name, ElementType::int32, input.size());
            std::ranges::copy(input.bytes(), as_int.bytes().begin());
            inputs_.push_back(std::move(as_int));
        } else {
            inputs_.push_back(std::move(input));
        }
    }
}

std::optional<Size> OwnWorkload::size() const {
    return inputs_.empty() ? std::nullopt : std::optional(inputs_.front().size());
}

State OwnWorkload::initial(const InitialConditions& conditions) const {
    State state;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const BoardField& field = fields_[i];
        HostField& cells = state.fields.emplace_back(field.name, field.element, conditions.size);
        const auto input = std::ranges::find(inputs_, field.name, &HostField::name);
        if (input != inputs_.end())
            lay(*input, cells);
        else if (field.read && fill_ == OwnProblem::Fill::random)
            with_element(field.element,
                         [&]<class T>(T) { fill_random<T>(cells, conditions.seed, i); });
    }
    return state;
}

void OwnWorkload::generation(const State& from, State& to, const GenerationContext& context) const {
    const HostField& first = from.fields.front();
    const Problem problem{first.size(), context.boundary, first.element(), context.parameters};
    simt::HostQueue queue(context.threads);
    queue.set_label(reference_label);
    const auto compute = [&](Poison poison) {
        const auto execution = reference_->factories.at(Backend::simt)(queue, problem);
        execution->upload(from);
        execution->poison(poison);
        execution->advance(1);
        queue.synchronize();
        execution->download(to);
    };
    compute(Poison::first);
    // A correct integer may equal one poison pattern, but not both.
    const auto suspects = poisoned_cells(*this, to, Poison::first);
    if (suspects.empty()) return;
    compute(Poison::second);
    for (const auto& [name, cells] : poisoned_cells(*this, to, Poison::second)) {
        std::vector<std::int64_t> unwritten;
        if (const auto before = suspects.find(name); before != suspects.end())
            std::ranges::set_intersection(before->second, cells, std::back_inserter(unwritten));
        if (unwritten.empty()) continue;
        const Size size = to.field(name).size();
        throw Error(
            ExitCode::usage,
            fmt::format("{} never writes {} of {} cells of {}, the first of them in row "
                        "{}, column {}, so nothing says what is right there: write every "
                        "cell in the reference",
                        description_->source, unwritten.size(), size.cells(), name,
                        unwritten.front() / size.columns, unwritten.front() % size.columns));
    }
}

Tolerance OwnWorkload::tolerance(const Computation& computation) const {
    const bool single = std::ranges::any_of(
        fields_, [](const BoardField& field) { return field.element == ElementType::float32; });
    const double usual = single ? 1e-5 : 1e-12;
    const double allowed = tolerance_.value_or(usual * computation.generations);
    return {.absolute = allowed, .relative = allowed};
}

FinalState OwnWorkload::final_state(const State& state) const {
    FinalState final{"mass", 0, 0, {}};
    Checksum checksum;
    for (const HostField& field : state.fields) {
        checksum.add(field.bytes());
        if (writes(field.name()))
            with_element(field.element(), [&]<class T>(T) {
                for (const T value : field.cells<T>()) final.amount += static_cast<double>(value);
            });
    }
    final.checksum = checksum.value();
    return final;
}

void OwnWorkload::save(const State& state, const std::filesystem::path& path, const Run&) const {
    const bool several = facts().written_fields.size() > 1;
    for (const std::string_view name : facts().written_fields) {
        const std::filesystem::path named =
            path.parent_path() /
            fmt::format("{}-{}{}", path.stem().string(), name, path.extension().string());
        write_npy(several ? named : path, state.field(name));
    }
}

}  // namespace camber
