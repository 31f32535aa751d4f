#include "harness/own/host/host_library.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"

namespace camber {

namespace {

[[noreturn]] void cannot_load(const std::string& why) {
    throw Error(ExitCode::unavailable,
                fmt::format("the kernel that was compiled for the host cannot be loaded: {}; set "
                            "CXX to the path of g++",
                            why));
}

std::string demangled(const std::string& mangled) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? text.get() : mangled;
}

}  // namespace

std::string plain_name(const std::string& mangled) {
    const std::string name = demangled(mangled);
    const std::size_t scope = name.rfind("::");
    return scope == name.npos ? name : name.substr(scope + 2);
}

std::string function_name(const std::string& mangled) {
    std::string name = demangled(mangled);
    name = name.substr(0, name.find('('));
    // Demangled names of templates begin with the return type.
    return name.starts_with("void ") ? name.substr(5) : name;
}

HostLibrary::HostLibrary(std::string_view library, const std::string& file) {
    try {
        image_ = read_code_image(library);
    } catch (const std::runtime_error& error) {
        cannot_load(error.what());
    }
    {
        // The file can be deleted once it is loaded.
        const TemporaryFolder folder("load a kernel");
        const auto path = folder.write("kernel.so", library);
        const CandidateActivity loading(CandidateWork::loading, file, candidate_limits().work);
        handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle_) cannot_load(dlerror());
    }
    file_ = static_cast<const CamberFile*>(dlsym(handle_, "camber_file"));
    link_map* map = nullptr;
    if (!file_ || dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) cannot_load("it has no kernels");
    base_ = map->l_addr;
    for (const CodeSymbol& variable : image_.thread_local_variables)
        if (variable.name == "_ZL13camber_anchor") anchor_ = variable.address;
    index_code();
}

// Instrumentation asks for the function of every basic block.
void HostLibrary::index_code() {
    std::uint64_t end = 0;
    for (const CodeSymbol& function : image_.functions)
        end = std::max(end, function.address + function.size);
    if (end == 0) return;
    code_begin_ = image_.functions.front().address;
    functions_.assign(end - code_begin_, -1);
    for (std::size_t i = 0; i < image_.functions.size(); ++i) {
        const CodeSymbol& function = image_.functions[i];
        const auto offset = static_cast<std::ptrdiff_t>(function.address - code_begin_);
        std::fill_n(functions_.begin() + offset, function.size, static_cast<int>(i));
    }
    first_places_ = std::vector<std::atomic<const CodeLocation*>>(functions_.size());
}

HostLibrary::~HostLibrary() {
    if (handle_) dlclose(handle_);
}

std::string HostLibrary::symbol(const CamberKernel& kernel) const {
    const auto address = reinterpret_cast<std::uintptr_t>(kernel.address) - base_;
    for (const CodeSymbol& function : image_.functions)
        if (function.address == address && function.name.find("_GLOBAL__N_") == std::string::npos &&
            !function.name.starts_with("_ZL"))
            return function.name;
    return "";
}

std::size_t HostLibrary::static_shared(const CamberKernel& kernel) const {
    const auto address = reinterpret_cast<std::uintptr_t>(kernel.address) - base_;
    const CodeSymbol* const function = symbol_at(image_.functions, address);
    if (!function || !function->name.starts_with("_Z")) return 0;
    const std::string prefix = "_ZZ" + function->name.substr(2) + "E";
    std::size_t bytes = 0;
    for (const CodeSymbol& variable : image_.thread_local_variables)
        if (variable.name.starts_with(prefix)) bytes += variable.size;
    return bytes;
}

std::uintptr_t HostLibrary::shared_begin() const {
    return reinterpret_cast<std::uintptr_t>(file_->shared_anchor()) - anchor_;
}

std::uintptr_t HostLibrary::dynamic_shared() const {
    return reinterpret_cast<std::uintptr_t>(file_->dynamic_shared());
}

const CodeLocation& HostLibrary::find_place(const void* pc, unsigned piece) const {
    const std::uint64_t address = code_begin_ + code_index(pc);
    const std::lock_guard lock(mutex_);
    const CodeLocation*& place = places_[address << 16 | (piece & 0xffff)];
    if (place) return *place;
    const CodeLine* const line = line_at(image_.lines, address);
    const std::string file = line ? line->file : "?";
    const std::string& name = names_.emplace(file, file).first->second;
    const std::uint32_t number = line ? line->line : 0;
    const std::uint32_t column = line ? line->column : 0;
    constexpr std::uint32_t widest = 4096;  // exceeds every column number
    const unsigned same = used_[{name.c_str(), number, column}]++;
    all_places_.push_back({name.c_str(), "", number, column + widest * same});
    place = &all_places_.back();
    if (piece == 0 && code_index(pc) < first_places_.size())
        first_places_[code_index(pc)].store(place, std::memory_order_release);
    return *place;
}

}  // namespace camber
