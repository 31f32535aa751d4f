#include "harness/machine/sass/code_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

namespace camber {

namespace {

struct Search {
    std::uintptr_t address = 0;
    std::optional<CodeFile> found = std::nullopt;
};

// Notes follow each other: name and content of each are filled up to multiples of four bytes.
std::string build_id_in(const std::byte* notes, std::size_t bytes) {
    const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
    while (bytes >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head;
        std::memcpy(&head, notes, sizeof head);
        const std::size_t name = padded(head.n_namesz);
        const std::size_t length = sizeof head + name + padded(head.n_descsz);
        if (length > bytes) break;
        const auto* text = reinterpret_cast<const char*>(notes + sizeof head);
        if (head.n_type == NT_GNU_BUILD_ID &&
            std::string_view(text, head.n_namesz) == std::string_view(ELF_NOTE_GNU, 4)) {
            std::string digits;
            for (std::size_t i = 0; i < head.n_descsz; ++i)
                digits +=
                    fmt::format("{:02x}", std::to_integer<int>(notes[sizeof head + name + i]));
            return digits;
        }
        notes += length;
        bytes -= length;
    }
    return "";
}

int visit(dl_phdr_info* object, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    bool contains = false;
    std::string build_id;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && search.address - start < segment.p_memsz) contains = true;
        if (segment.p_type == PT_NOTE && build_id.empty())
            build_id = build_id_in(reinterpret_cast<const std::byte*>(start), segment.p_memsz);
    }
    if (!contains) return 0;
    std::filesystem::path path = object->dlpi_name;
    std::error_code error;
    // The program itself has no name there.
    if (path.empty()) path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!path.empty()) search.found = CodeFile{path, build_id};
    return 1;
}

}  // namespace

std::optional<CodeFile> code_file_of(const void* address) {
    Search search{reinterpret_cast<std::uintptr_t>(address)};
    dl_iterate_phdr(visit, &search);
    return search.found;
}

}  // namespace camber
