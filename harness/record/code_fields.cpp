// The keys of results/code/*.json: kernels, each once, and by variant, cell and boundary the
// numbers of those that one launch has.
#include <fmt/format.h>

#include <cstddef>
#include <sstream>

#include "harness/base/error.hpp"
#include "harness/record/archive.hpp"
#include "harness/record/code_table.hpp"
#include "harness/record/fields.hpp"
#include "harness/record/names.hpp"
#include "harness/record/region_fields.hpp"

namespace camber::results {
namespace {

struct Code {
    Kernel kernel;
};

void fields(Reader& a, Code& code) {
    Kernel& kernel = code.kernel;
    a("name", kernel.name);
    a.may("registers", kernel.registers);
    a.may("static_shared_bytes", kernel.static_shared_bytes);
    a.may("dynamic_shared_bytes", kernel.dynamic_shared_bytes);
    a.may("local_bytes", kernel.local_bytes);
    a.may("occupancy", kernel.occupancy);
    a("instructions", kernel.instructions);
    a.some("regions", kernel.regions);
    a.some("basic_blocks", kernel.basic_blocks);
    check_text(kernel);
}

struct File {
    std::string arch;
    std::string compiler;
    std::vector<Code> kernels;
    std::map<std::string, std::vector<int>> variants;
};

void fields(Reader& a, File& file) {
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

}  // namespace camber::results
