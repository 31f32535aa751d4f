#include "harness/machine/binary/cubin.hpp"

#include <algorithm>
#include <climits>

namespace camber::binary {
namespace {

// An attribute: format, number, and a value whose size follows from the format. `cuobjdump -elf`
// prints the names, EIATTR_REGCOUNT and so on.
enum Format : std::uint8_t { no_value = 1, byte_value = 2, half_value = 3, sized_value = 4 };
enum Number : std::uint8_t {
    max_threads = 0x05,
    required_threads = 0x10,
    frame_size = 0x11,
    min_stack_size = 0x12,
    parameter_size = 0x19,
    register_count = 0x2f,
    barrier_count = 0x4c,
};
constexpr std::uint8_t accelerator_target = 0x09;  // in .nv.compat

struct Attribute {
    std::uint8_t number = 0;
    std::uint32_t value = 0;  // unless it is sized
    Bytes data;               // if it is sized
};

template <class Visit>
void for_each_attribute(const ElfSection& section, const Visit& visit) {
    constexpr std::uint64_t head_bytes = 4;
    const Bytes bytes = section.data();
    for (std::uint64_t at = 0; at < bytes.size();) {
        const auto head =
            bytes.value<std::array<std::uint8_t, head_bytes>>(at, "an attribute of a kernel");
        Attribute attribute;
        attribute.number = head[1];
        attribute.value = head[2] | static_cast<std::uint32_t>(head[3]) << 8;
        at += head_bytes;
        if (head[0] == byte_value) {
            attribute.value = head[2];
        } else if (head[0] == sized_value) {
            attribute.data = bytes.part(at, attribute.value, "an attribute of a kernel");
            at += attribute.value;
        } else if (head[0] != no_value && head[0] != half_value) {
            return;
        }
        visit(attribute);
    }
}

std::optional<std::array<int, 3>> dimensions_in(const Bytes& data) {
    std::array<int, 3> sizes{};
    if (data.size() < sizeof sizes) return std::nullopt;
    for (std::size_t k = 0; k < sizes.size(); ++k)
        sizes[k] = static_cast<int>(std::min<std::uint32_t>(
            data.value<std::uint32_t>(k * sizeof(std::uint32_t), "a block size"), INT_MAX));
    return sizes;
}

}  // namespace

ModuleAttributes module_attributes(const ElfSection& section) {
    ModuleAttributes found;
    for_each_attribute(section, [&](const Attribute& attribute) {
        std::map<std::uint32_t, std::int64_t>* const into =
            attribute.number == register_count   ? &found.registers
            : attribute.number == frame_size     ? &found.frame_bytes
            : attribute.number == min_stack_size ? &found.stack_bytes
                                                 : nullptr;
        if (into == nullptr || attribute.data.size() < 2 * sizeof(std::uint32_t)) return;
        (*into)[attribute.data.value<std::uint32_t>(0, "a symbol number")] =
            attribute.data.value<std::uint32_t>(sizeof(std::uint32_t), "an attribute's value");
    });
    return found;
}

FunctionAttributes function_attributes(const ElfSection& section) {
    FunctionAttributes found;
    for_each_attribute(section, [&](const Attribute& attribute) {
        switch (attribute.number) {
            case max_threads:
                found.max_block = dimensions_in(attribute.data);
                break;
            case required_threads:
                found.required_block = dimensions_in(attribute.data);
                break;
            case parameter_size:
                found.parameter_bytes = attribute.value;
                break;
            case barrier_count:
                found.barriers = static_cast<int>(attribute.value);
                break;
            default:
                break;
        }
    });
    return found;
}

bool is_architecture_specific(const ElfSection& compatibility) {
    bool specific = false;
    for_each_attribute(compatibility, [&](const Attribute& attribute) {
        if (attribute.number == accelerator_target) specific = attribute.value == 1;
    });
    return specific;
}

}  // namespace camber::binary
