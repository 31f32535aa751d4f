#include "harness/record/code_inspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/record/archive.hpp"

namespace camber::results {

template <>
struct Names<CodeKind> {
    static constexpr std::array all{CodeKind::kernel, CodeKind::function};
    static std::string_view text(CodeKind kind) {
        return kind == CodeKind::kernel ? "kernel" : "function";
    }
};

namespace {

constexpr int inspection_version = 1;
constexpr const char* version_key = "camber_inspection";

std::array<int, 3> block_from(const Json& json) {
    std::array<int, 3> sizes{};
    require_array(json);
    if (json.size() != sizes.size()) throw FormError("", "a block has three dimensions");
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        results::read(json[k], sizes[k]);
        if (sizes[k] < 0) throw FormError("", "a dimension is negative");
    }
    return sizes;
}

template <class Archive>
void block_field(Archive& a, const char* key,
                 Of<Archive, std::optional<std::array<int, 3>>>& block) {
    if constexpr (Archive::writes) {
        if (block) a.json()[key] = *block;
    } else if (const Json* found = a.find(key); found && !found->is_null()) {
        try {
            block = block_from(*found);
        } catch (const FormError& error) {
            throw error.within(std::string("/") + key);
        }
    }
}

template <class Archive>
void occupancy_fields(Archive& a, Of<Archive, BlockOccupancy>& at) {
    a("threads", at.threads);
    a("occupancy", at.occupancy);
}

template <class Archive>
void kernel_fields(Archive& a, Of<Archive, CompiledKernel>& kernel) {
    a("name", kernel.name);
    a("symbol", kernel.symbol);
    a("architecture", kernel.architecture);
    a("kind", kernel.kind);
    a.some("members", kernel.members);
    a("copies", kernel.copies);
    a.may("registers", kernel.registers);
    a.may("frame_bytes", kernel.frame_bytes);
    a.may("stack_bytes", kernel.stack_bytes);
    a.may("shared_bytes", kernel.shared_bytes);
    a.may("parameter_bytes", kernel.parameter_bytes);
    a.some("constant_bytes", kernel.constant_bytes);
    block_field(a, "max_block", kernel.max_block);
    block_field(a, "required_block", kernel.required_block);
    a.may("barriers", kernel.barriers);
    a.may("code_bytes", kernel.code_bytes);
    a.may("local_loads", kernel.local_loads);
    a.may("local_stores", kernel.local_stores);
    a.may("instructions", kernel.instructions);
    a.some("mix", kernel.mix);
    a.some("occupancy", kernel.occupancy);
    a("hash", kernel.hash);
}

template <class Archive>
void inspection_fields(Archive& a, Of<Archive, CodeInspection>& inspection) {
    a("file", inspection.file);
    a("file_bytes", inspection.file_bytes);
    a("cubins", inspection.cubins);
    a("ptx_modules", inspection.ptx_modules);
    a("intermediate_modules", inspection.intermediate_modules);
    a("notes", inspection.notes);
    a("kernels", inspection.kernels);
}

}  // namespace

void fields(Writer& a, const BlockOccupancy& at) {
    occupancy_fields(a, at);
}
void fields(Reader& a, BlockOccupancy& at) {
    occupancy_fields(a, at);
    if (at.occupancy > 1) throw FormError("/occupancy", "it is more than 1");
}
void fields(Writer& a, const CompiledKernel& kernel) {
    kernel_fields(a, kernel);
}
void fields(Reader& a, CompiledKernel& kernel) {
    kernel_fields(a, kernel);
    if (kernel.name.empty()) throw FormError("/name", "it is empty");
}
void fields(Writer& a, const CodeInspection& inspection) {
    inspection_fields(a, inspection);
}
void fields(Reader& a, CodeInspection& inspection) {
    inspection_fields(a, inspection);
}

std::string to_text(const CodeInspection& inspection) {
    Json json = Json::object();
    json[version_key] = inspection_version;
    Writer writer(json);
    fields(writer, inspection);
    // Names from files may have any bytes.
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_inspection(std::string_view text) {
    return text.substr(0, 200).find(fmt::format("\"{}\"", version_key)) != std::string_view::npos;
}

CodeInspection parse_inspection(std::string_view text, const std::string& source) {
    try {
        const Json json = parse_json(text);
        if (!json.is_object()) throw FormError("", "it is no JSON object");
        int found = 0;
        const Reader reader(json);
        read(*reader.require(version_key), found);
        if (found != inspection_version)
            throw FormError(fmt::format("/{}", version_key),
                            fmt::format("version {} is unknown, only version {} is known", found,
                                        inspection_version));
        CodeInspection inspection;
        read(json, inspection);
        return inspection;
    } catch (const FormError& error) {
        throw Error(ExitCode::usage,
                    fmt::format("{}: at {}: {}", source,
                                error.place().empty() ? "/" : error.place(), error.what()));
    } catch (const SyntaxError& error) {
        throw Error(ExitCode::usage, fmt::format("{} {}", source, error.what()));
    }
}

}  // namespace camber::results
