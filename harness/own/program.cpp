#include "harness/own/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "harness/base/error.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/plain_launch.hpp"
#include "harness/own/source/functions.hpp"
#include "harness/own/source/unit.hpp"

namespace camber {

namespace {

std::string described(const CamberType& type) {
    const int bits = static_cast<int>(8 * type.size);
    switch (type.kind) {
        case CamberType::integer:
            return fmt::format("an integer of {} bits", bits);
        case CamberType::floating:
            return fmt::format("a floating-point number of {} bits", bits);
        case CamberType::pointer:
            return "a pointer";
        default:
            return fmt::format("a structure of {} bytes", type.size);
    }
}

bool is_floating(ElementType element) {
    return element == ElementType::float32 || element == ElementType::float64;
}

// float16 or bfloat16, which the C++ compiler sees as structures; nullopt for all other types.
std::optional<Scalar> short_float(const CamberType& type) {
    const auto known = type.name ? array_type_named(type.name) : std::nullopt;
    if (!known || known->lanes > 1) return std::nullopt;
    const bool is_short = known->scalar == Scalar::float16 || known->scalar == Scalar::bfloat16;
    return is_short ? std::optional(known->scalar) : std::nullopt;
}

// Returns true if cells can be accessed through a pointer to `target`: as the cell type, as a
// vector of cells, or as untyped bytes.
bool fits(const CamberType& target, ElementType element) {
    const auto size = static_cast<unsigned>(info(element).size);
    if (target.kind == CamberType::other) return target.size == 1 || target.size % size == 0;
    if (target.kind == CamberType::pointer) return false;
    return target.size == size && (target.kind == CamberType::floating) == is_floating(element);
}

// The same for an array: a pointer to its numbers, or to vectors of them; the sign does not matter.
bool fits(const CamberType& target, const NamedArray& array) {
    if (target.kind == CamberType::other && !target.name) return target.size == 1;  // void
    const auto type = target.name ? array_type_named(target.name) : std::nullopt;
    if (!type) return false;
    const bool both_whole = !type->is_real() && !array.type.is_real();
    const bool same = type->scalar == array.type.scalar ||
                      (both_whole && type->scalar_bytes() == array.type.scalar_bytes());
    return same && array.scalars() % type->lanes == 0;
}

ElementType element_of_field(const BoundKernel& kernel, const std::string& field) {
    for (const FieldUse& use : kernel.fields)
        if (use.name == field) return use.element;
    return ElementType::float32;
}

}  // namespace

void check_types(const BoundKernel& kernel, const ParameterTypes& types,
                 const std::vector<std::string>& written_types, const Supply& supply,
                 const std::string& file) {
    const auto reject = [&](const std::string& why) {
        throw Error(ExitCode::usage, fmt::format("{}:{}: {}", file, kernel.directive.line, why));
    };
    const std::string& name = kernel.directive.kernel;
    if (types.size() != kernel.arguments.size())
        reject(
            fmt::format("{} has {} parameters, and the line gives {} arguments: write one for "
                        "each",
                        name, types.size(), kernel.arguments.size()));
    for (std::size_t i = 0; i < types.size(); ++i) {
        const Argument& argument = kernel.arguments[i];
        const CamberParameter& parameter = types[i];
        const std::string which = fmt::format("parameter {} of {}", i + 1, name);
        if (argument.is_pointer()) {
            if (parameter.type.kind != CamberType::pointer)
                reject(fmt::format("{} is {}, and {} is the cells of a field: make it a pointer",
                                   which, described(parameter.type), argument.text));
            const auto array =
                std::ranges::find(supply.arrays, argument.field, &NamedArray::name);
            if (array != supply.arrays.end() && !fits(parameter.target, *array))
                reject(fmt::format("{} is {}, and {} is {}: make it a pointer to that type", which,
                                   i < written_types.size()
                                       ? fmt::format("`{}`", written_types[i])
                                       : fmt::format("a pointer to {}",
                                                     described(parameter.target)),
                                   argument.text, array->text()));
            const ElementType element = element_of_field(kernel, argument.field);
            if (supply.is_board() && !fits(parameter.target, element))
                reject(fmt::format(
                    "{} is {}, but workload {} uses {} for {}; missing `--workload`?", which,
                    i < written_types.size()
                        ? fmt::format("`{}`", written_types[i])
                        : fmt::format("a pointer to {}", described(parameter.target)),
                    supply.workload, info(element).name, argument.text));
            if (argument.kind != Argument::Kind::input && parameter.is_const)
                reject(
                    fmt::format("{} points to constants, and {} is to be written: leave out "
                                "const",
                                which, argument.text));
        } else if (argument.is_texture()) {
            if (parameter.type.kind != CamberType::integer || parameter.type.size != 8)
                reject(fmt::format("{} is {}, and {} is a texture: make it a cudaTextureObject_t",
                                   which, described(parameter.type), argument.text));
        } else if (parameter.type.kind != CamberType::integer &&
                   parameter.type.kind != CamberType::floating && !short_float(parameter.type)) {
            reject(fmt::format("{} is {}, and {} is a number: make it int or float", which,
                               described(parameter.type), argument.text));
        }
    }
}

void put_number(void* to, double value, const CamberType& type) {
    if (const auto scalar = short_float(type))
        return put_scalar(static_cast<std::byte*>(to), value, *scalar);
    const auto put = [&](auto number) { std::memcpy(to, &number, sizeof number); };
    if (type.kind == CamberType::floating)
        return type.size == 4 ? put(static_cast<float>(value)) : put(value);
    const auto whole = static_cast<std::int64_t>(std::llround(value));
    std::memcpy(to, &whole, type.size);  // little-endian: the low bytes come first
}

void ArgumentValues::add_number(double value, const CamberType& type) {
    Value bytes{};
    put_number(bytes.bytes, value, type);
    add_bytes(bytes.bytes, sizeof bytes.bytes);
}

void ArgumentValues::add_bytes(const void* bytes, std::size_t size) {
    Value& value = values_.emplace_back();
    std::memcpy(value.bytes, bytes, size);
    pointers_.push_back(value.bytes);
}

namespace {

constexpr std::size_t static_shared_limit = 48 * 1024;  // CUDA C++ Programming Guide

ParameterTypes types_of(const CamberKernel& kernel) {
    return {kernel.parameters, kernel.parameters + kernel.count};
}

}  // namespace

std::string origin_of(const std::filesystem::path& path, const Settings& settings) {
    return settings.empty() ? path.string()
                            : fmt::format("{} with {}", path.string(), text_of(settings));
}

namespace {

CandidateSource read_for(const std::filesystem::path& path, const Workload& workload,
                         const Settings& settings) {
    CandidateSource source = read_candidate(path, settings);
    const Directives& said = source.directives;
    if (!said.workload.empty() && said.workload != workload.name())
        throw Error(ExitCode::usage,
                    fmt::format("{}:{}: its kernels compute {}, and {} is asked for: give "
                                "--workload {}",
                                path.string(), said.workload_line, said.workload, workload.name(),
                                said.workload));
    const bool own = workload.name().starts_with("own_");
    if (!said.reference.empty() && !own)
        throw Error(
            ExitCode::usage,
            fmt::format("{}:{}: reference {} says what its kernels compute, and {} is "
                        "asked for: leave out --workload, and use camber try, run, check, "
                        "model, profile or compare",
                        path.string(), said.reference_line, said.reference, workload.name()));
    return source;
}

// Types of the kernel's parameters as written in the file; empty if the kernel is not found.
std::vector<std::string> written_types_of(const CandidateSource& source,
                                          const KernelDirective& directive) {
    std::vector<std::string> types;
    const auto functions = functions_in(source.code);
    if (!functions) return types;
    const auto found = std::ranges::find_if(*functions, [&](const CodeFunction& one) {
        return one.is_kernel && one.name == directive.plain_function();
    });
    if (found == functions->end()) return types;
    for (const FunctionParameter& parameter : found->parameters) types.push_back(parameter.type);
    return types;
}

}  // namespace

CandidateProgram::CandidateProgram(const std::filesystem::path& path, const Workload& workload,
                                   ElementType cell, CandidateOptions options)
    : path_(path.string()),
      origin_(origin_of(path, options.settings)),
      source_(read_for(path, workload, options.settings)),
      workload_(workload),
      options_(std::move(options)),
      name_(CacheFolder::part(path.filename().string())),
      summary_(fmt::format("the kernel of {}", path_)),
      supply_(supply_of(workload, cell, ParameterSet(workload.facts().parameters),
                        source_.directives, path_)),
      kernels_(bind_kernels(source_.directives, supply_, path_)),
      host_(compile_for_host(source_, BuildCache(options_.cache)), path_) {
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
        types_.push_back(types_of(host_.kernel(i)));
        check_types(kernels_[i], types_[i], written_types_of(source_, kernels_[i].directive),
                    supply_, path_);
        const std::size_t bytes = host_.static_shared(host_.kernel(i));
        if (bytes > static_shared_limit)
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: the __shared__ arrays of {} have {} bytes, and {} are "
                                    "the most: make them smaller, or extern and say shared=",
                                    path_, kernels_[i].directive.line, kernels_[i].directive.kernel,
                                    bytes, static_shared_limit));
    }
    for (std::size_t i = 0; i < kernels_.size() + std::size(torus_kernels); ++i)
        symbols_.push_back(host_.symbol(host_.kernel(i)));
    check_constants();
    host_.bind(&PlainLaunch::host());
    if (options_.compute_capability > 0) build_for(options_.compute_capability);
}

// Checks the __constant__ variables that arrays fill.
void CandidateProgram::check_constants() const {
    std::size_t number = 0;
    for (const BoundKernel& kernel : kernels_)
        for (const auto& [symbol, name] : kernel.directive.constants) {
            const CamberConstant& constant = host_.constant(number++);
            const auto array = std::ranges::find(supply_.arrays, name, &NamedArray::name);
            if (array == supply_.arrays.end()) continue;
            const std::string at = fmt::format("{}:{}: ", path_, kernel.directive.line);
            if (!fits(constant.element, *array))
                throw Error(ExitCode::usage,
                            fmt::format("{}{} has elements of another type than {}: make it a "
                                        "__constant__ array of that type",
                                        at, symbol, array->text()));
            if (constant.count * constant.element.size < static_cast<std::size_t>(array->bytes()))
                throw Error(ExitCode::usage,
                            fmt::format("{}{} has {} bytes, and {} has {}: give a smaller --shape, "
                                        "or make the __constant__ array larger",
                                        at, symbol, constant.count * constant.element.size,
                                        array->text(), array->bytes()));
        }
}

std::size_t CandidateProgram::torus_kernel(int element_bytes) const {
    const auto* const found = std::ranges::find(torus_element_bytes, element_bytes);
    return kernels_.size() + static_cast<std::size_t>(found - std::begin(torus_element_bytes));
}

const DeviceBuild& CandidateProgram::build_for(int compute_capability) {
    const auto known = builds_.find(compute_capability);
    if (known != builds_.end()) return known->second;
    for (std::size_t i = 0; i < kernels_.size(); ++i)
        if (symbols_[i].empty())
            throw Error(
                ExitCode::usage,
                fmt::format("{}:{}: {} is known in its file alone, and cannot be launched "
                            "from outside: leave out static and namespaces without a name",
                            path_, kernels_[i].directive.line, kernels_[i].directive.kernel));
    return builds_[compute_capability] =
               compile_for_device(source_, compute_capability, BuildCache(options_.cache));
}

DeviceLibrary& CandidateProgram::device(int compute_capability) {
    std::unique_ptr<DeviceLibrary>& library = devices_[compute_capability];
    if (!library) library = load_device_library(build_for(compute_capability).cubin);
    return *library;
}

}  // namespace camber
