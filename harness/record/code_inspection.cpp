#include "harness/record/code_inspection.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <sstream>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/parameters.hpp"
#include "harness/record/archive.hpp"
#include "harness/record/fields.hpp"

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

namespace {

std::string key_of(const std::string& variant, const std::string& cell, Boundary boundary) {
    return variant + " " + cell + " " + std::string(name(boundary));
}

bool is_complete(const Kernel& kernel) {
    return kernel.occupancy && !kernel.instructions.empty();
}

}  // namespace

const std::vector<Kernel>* CodeTable::find(const std::string& variant, const std::string& cell,
                                           Boundary boundary) const {
    const auto found = variants_.find(key_of(variant, cell, boundary));
    return found == variants_.end() ? nullptr : &found->second;
}

void CodeTable::add(const std::string& variant, const std::string& cell, Boundary boundary,
                    std::vector<Kernel> kernels) {
    variants_.try_emplace(key_of(variant, cell, boundary), std::move(kernels));
}

CodeTable CodeTable::of(const Document& document) {
    CodeTable table;
    table.origin = document.source;
    if (document.run() && document.run()->gpu) table.arch = document.run()->gpu->compute_capability;
    for (const CaseRecord& record : document.cases)
        if (!record.kernels.empty() && std::ranges::all_of(record.kernels, is_complete))
            table.add(record.identity.variant, record.identity.cell,
                      record.identity.boundary.value_or(Boundary::dead), record.kernels);
    return table;
}

// JSON keys of results/code/*.json: every kernel once, and for each variant, cell type and
// boundary, the numbers of the kernels of one launch.

namespace {

struct Code {
    Kernel kernel;
};

template <class A>
void fields(A& a, Of<A, Code>& code) {
    auto& kernel = code.kernel;
    a("name", kernel.name);
    a.may("registers", kernel.registers);
    a.may("static_shared_bytes", kernel.static_shared_bytes);
    a.may("dynamic_shared_bytes", kernel.dynamic_shared_bytes);
    a.may("local_bytes", kernel.local_bytes);
    a.may("occupancy", kernel.occupancy);
    a("instructions", kernel.instructions);
    a.some("regions", kernel.regions);
    a.some("basic_blocks", kernel.basic_blocks);
    if constexpr (!A::writes) check_text(kernel);
}

struct File {
    std::string arch;
    std::string compiler;
    std::vector<Code> kernels;
    std::map<std::string, std::vector<int>> variants;
};

template <class A>
void fields(A& a, Of<A, File>& file) {
    a("arch", file.arch);
    a("compiler", file.compiler);
    a("kernels", file.kernels);
    a("variants", file.variants);
}

std::vector<Kernel> kernels_of(const File& file, const std::string& key,
                               const std::vector<int>& numbers) {
    std::vector<Kernel> kernels;
    for (const int number : numbers) {
        if (number < 0 || static_cast<std::size_t>(number) >= file.kernels.size())
            throw FormError("/variants/" + key, fmt::format("there is no kernel {}", number));
        kernels.push_back(file.kernels[static_cast<std::size_t>(number)].kernel);
    }
    return kernels;
}

}  // namespace

std::string code_table_text(const std::string& compiler, const std::vector<Kernel>& kernels) {
    File file{"", compiler, {}, {}};
    for (const Kernel& kernel : kernels) file.kernels.push_back({kernel});
    return written(file).dump() + "\n";
}

CodeTable parse_code_table(std::string_view text, const std::string& source) {
    try {
        const Json json = parse_json(text);
        File file;
        read(json, file);
        CodeTable table;
        table.arch = file.arch;
        table.origin = file.compiler;
        for (const Code& code : file.kernels) table.add_text(code.kernel);
        for (const auto& [key, numbers] : file.variants) {
            std::istringstream words(key);
            std::string variant;
            std::string cell;
            std::string boundary;
            words >> variant >> cell >> boundary;
            const auto known = named<Boundary>(boundary);
            if (!known) throw FormError("/variants/" + key, "it ends in no boundary");
            table.add(variant, cell, *known, kernels_of(file, key, numbers));
        }
        return table;
    } catch (const FormError& error) {
        throw Error(ExitCode::usage,
                    fmt::format("{}: at {}: {}", source, error.place(), error.what()));
    } catch (const SyntaxError& error) {
        throw Error(ExitCode::usage, fmt::format("{} {}", source, error.what()));
    }
}

// JSON keys of loops and basic blocks in machine code (results/schema/camber-results.schema.json,
// definitions "region" and "basic_block").
void fields(Writer& a, const CodeRegion& region) {
    a("within", region.within);
    a("instructions", region.instructions);
}

void fields(Reader& a, CodeRegion& region) {
    a("within", region.within);
    a("instructions", region.instructions);
}

namespace {

template <class Archive>
void fields_of(Archive& a, Of<Archive, BasicBlock>& block) {
    a("loop", block.loop);
    a.some("to", block.to);
    a.flag("ends", block.ends);
    a("instructions", block.instructions);
    a.some("predicated", block.predicated);
}

}  // namespace

void fields(Writer& a, const BasicBlock& block) {
    fields_of(a, block);
}

void fields(Reader& a, BasicBlock& block) {
    fields_of(a, block);
}

void check_text(const Kernel& kernel) {
    const auto check = [](const char* list, std::size_t place, int number, std::size_t size) {
        if (number < 0 || static_cast<std::size_t>(number) >= size)
            throw FormError(fmt::format("/{}/{}", list, place),
                            fmt::format("there is no number {}", number));
    };
    for (std::size_t r = 0; r < kernel.regions.size(); ++r)
        check("regions", r, kernel.regions[r].within, kernel.regions.size());
    for (std::size_t b = 0; b < kernel.basic_blocks.size(); ++b)
        for (const int to : kernel.basic_blocks[b].to)
            check("basic_blocks", b, to, kernel.basic_blocks.size());
}

}  // namespace camber::results
