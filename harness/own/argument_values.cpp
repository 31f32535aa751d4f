#include "harness/own/argument_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "harness/base/error.hpp"

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

// Whether cells can be touched as what a pointer points to: as themselves, several at once, or as
// bytes of no type.
bool fits(const CamberType& target, ElementType element) {
    const auto size = static_cast<unsigned>(info(element).size);
    if (target.kind == CamberType::other) return target.size == 1 || target.size % size == 0;
    if (target.kind == CamberType::pointer) return false;
    return target.size == size && (target.kind == CamberType::floating) == is_floating(element);
}

ElementType element_of_field(const BoundKernel& kernel, const std::string& field) {
    for (const FieldUse& use : kernel.fields)
        if (use.name == field) return use.element;
    return ElementType::float32;
}

}  // namespace

void check_types(const BoundKernel& kernel, const ParameterTypes& types,
                 const std::vector<std::string>& written_types, const std::string& workload,
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
            const ElementType element = element_of_field(kernel, argument.field);
            if (!fits(parameter.target, element))
                reject(fmt::format(
                    "{} is {}, but workload {} uses {} for {}; missing `--workload`?", which,
                    i < written_types.size()
                        ? fmt::format("`{}`", written_types[i])
                        : fmt::format("a pointer to {}", described(parameter.target)),
                    workload, info(element).name, argument.text));
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
                   parameter.type.kind != CamberType::floating) {
            reject(fmt::format("{} is {}, and {} is a number: make it int or float", which,
                               described(parameter.type), argument.text));
        }
    }
}

void put_number(void* to, double value, const CamberType& type) {
    const auto put = [&](auto number) { std::memcpy(to, &number, sizeof number); };
    if (type.kind == CamberType::floating)
        return type.size == 4 ? put(static_cast<float>(value)) : put(value);
    const auto whole = static_cast<std::int64_t>(std::llround(value));
    std::memcpy(to, &whole, type.size);  // the lowest bytes come first
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

}  // namespace camber
