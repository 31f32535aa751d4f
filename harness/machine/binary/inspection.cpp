#include "harness/machine/binary/inspection.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <tuple>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/binary/bytes.hpp"
#include "harness/machine/binary/cubin.hpp"
#include "harness/machine/binary/elf.hpp"
#include "harness/machine/binary/fat_binary.hpp"

namespace camber::binary {
namespace {

using results::CodeInspection;
using results::CompiledKernel;

constexpr std::string_view archive_magic = "!<arch>\n";
constexpr std::string_view thin_archive_magic = "!<thin>\n";

// Member of an archive (ar, System V and GNU form).
struct MemberHeader {
    char name[16];
    char date[12], user[6], group[6], mode[8];
    char size[10];
    char end[2];
};
static_assert(sizeof(MemberHeader) == 60);

std::string_view trimmed(std::string_view text) {
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

// 90 in "sm_90a".
int number_in(std::string_view architecture) {
    int number = 0;
    const auto start = std::min(architecture.find_first_of("0123456789"), architecture.size());
    std::from_chars(architecture.data() + start, architecture.data() + architecture.size(), number);
    return number;
}

class Inspector {
  public:
    Inspector(const std::filesystem::path& path, const InspectionProgress& progress)
        : mapping_(path), progress_(progress) {
        result_.file = path.string();
        result_.file_bytes = static_cast<std::int64_t>(mapping_.bytes().size());
    }

    CodeInspection inspect() {
        const Bytes& file = mapping_.bytes();
        if (!read_any(file, "")) file.fail(0, "this is no ELF file, archive, fat binary or PTX");
        if (result_.cubins + result_.ptx_modules + result_.intermediate_modules == 0)
            throw Error(ExitCode::usage,
                        fmt::format("{} contains no code for a GPU: give a file that nvcc made, or "
                                    "the library that contains the kernels",
                                    file.source()));
        if (others_ > 0)
            result_.notes.push_back(fmt::format(
                "{} entries of fat binaries have an unknown kind and are not listed", others_));
        for (auto& [key, kernel] : kernels_) result_.kernels.push_back(std::move(kernel));
        const auto order = [](const CompiledKernel& kernel) {
            return std::tuple(kernel.is_ptx(), number_in(kernel.architecture),
                              std::string_view(kernel.architecture), std::string_view(kernel.name),
                              std::string_view(kernel.hash));
        };
        std::ranges::sort(result_.kernels, {}, order);
        return std::move(result_);
    }

  private:
    // Reads any of the formats; false if it is none. `member`: archive member, or "".
    bool read_any(const Bytes& bytes, const std::string& member) {
        check_stop();
        const std::string_view text = bytes.text();
        if (text.starts_with(thin_archive_magic))
            bytes.fail(0, "a thin archive has no members of its own: give the object files");
        if (text.starts_with(archive_magic)) {
            if (!member.empty()) bytes.fail(0, "an archive within an archive is not supported");
            read_archive(bytes);
        } else if (is_elf(text)) {
            read_elf(bytes, member);
        } else if (is_fat_binary(text)) {
            for_each_entry_in_section(bytes,
                                      [&](const FatEntry& entry) { read_entry(entry, member); });
        } else if (is_ptx(text)) {
            read_ptx(bytes, member);
        } else {
            return false;
        }
        return true;
    }

    void read_archive(const Bytes& archive) {
        std::string_view long_names;
        for (std::uint64_t at = archive_magic.size(); at < archive.size();) {
            const auto header = archive.value<MemberHeader>(at, "the header of an archive member");
            if (header.end[0] != '`' || header.end[1] != '\n')
                archive.fail(at, "here begins no archive member");
            std::uint64_t size = 0;
            const std::string_view digits = trimmed({header.size, sizeof header.size});
            const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), size);
            if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
                archive.fail(at, fmt::format("an archive member has the size '{}'", digits));
            const Bytes data = archive.part(at + sizeof header, size, "an archive member");
            const std::string_view name = trimmed({header.name, sizeof header.name});
            if (name == "//")
                long_names = data.text();
            else if (name != "/" && name != "/SYM64/")
                read_any(data, member_name(name, long_names));
            // Members begin at even offsets.
            at += sizeof header + size + size % 2;
            advance(data, data.size());
        }
    }

    // "name.o/", or "/123": the offset of a long name in the member "//".
    static std::string member_name(std::string_view name, std::string_view long_names) {
        std::size_t offset = 0;
        if (name.size() > 1 && name[0] == '/' &&
            std::from_chars(name.data() + 1, name.data() + name.size(), offset).ec == std::errc() &&
            offset < long_names.size()) {
            name = long_names.substr(offset);
            name = name.substr(0, name.find('\n'));
        }
        if (name.ends_with('/')) name.remove_suffix(1);
        return name.empty() ? "member" : std::string(name);
    }

    void read_elf(const Bytes& bytes, const std::string& member) {
        const auto machine =
            bytes.value<std::uint16_t>(offsetof(Elf64_Ehdr, e_machine), "the ELF header");
        if (machine == cuda_machine) return read_cubin(bytes, "", member);
        const auto visit = [&](const FatEntry& entry) { read_entry(entry, member); };
        const Elf elf(bytes);
        if (elf.sections().empty()) return find_entries(bytes, visit);
        for (const ElfSection& section : elf.sections()) {
            if (section.name == ".nv_fatbin" || section.name == "__nv_relfatbin")
                for_each_entry_in_section(section.data(), visit);
            // Libraries such as cuFFT have fat binaries among their data, too.
            else if (section.type == SHT_PROGBITS && (section.flags & SHF_ALLOC) != 0 &&
                     (section.flags & SHF_EXECINSTR) == 0)
                find_entries(section.data(), visit);
            advance(bytes, section.offset + (section.has_bytes ? section.size : 0));
        }
    }

    void read_entry(const FatEntry& entry, const std::string& member) {
        check_stop();
        advance(entry.payload, 0);
        if (entry.kind == FatKind::intermediate) {
            ++result_.intermediate_modules;
            return;
        }
        if (entry.kind == FatKind::other) {
            ++others_;
            return;
        }
        std::string full;
        Bytes code = entry.payload;
        if (entry.compressed) {
            full = decompressed(entry);
            code = Bytes(full, fmt::format("{}, code that is compressed at 0x{:x}",
                                           entry.payload.source(), entry.payload.offset()));
        }
        if (entry.kind == FatKind::ptx)
            read_ptx(code, member);
        else
            read_cubin(code, fmt::format("sm_{}{}", entry.architecture, entry.suffix), member);
    }

    void read_cubin(const Bytes& code, const std::string& architecture, const std::string& member) {
        ++result_.cubins;
        add(kernels_in_cubin(code, architecture), member);
    }

    void read_ptx(const Bytes& code, const std::string& member) {
        ++result_.ptx_modules;
        add(kernels_in_ptx(code), member);
    }

    void add(std::vector<CompiledKernel> kernels, const std::string& member) {
        for (CompiledKernel& kernel : kernels) {
            Key key{kernel.symbol, kernel.architecture, kernel.hash, kernel.registers.value_or(-1),
                    kernel.shared_bytes.value_or(-1)};
            const auto [entry, added] = kernels_.try_emplace(std::move(key));
            if (added)
                entry->second = std::move(kernel);
            else
                ++entry->second.copies;
            std::vector<std::string>& members = entry->second.members;
            if (!member.empty() && std::ranges::find(members, member) == members.end())
                members.push_back(member);
        }
    }

    void advance(const Bytes& bytes, std::uint64_t done) {
        // Decompressed code has offsets of its own; only offsets in the file count.
        const std::uint64_t at = bytes.offset(done);
        if (progress_)
            progress_(static_cast<double>(at) / static_cast<double>(mapping_.bytes().size()));
        mapping_.release_until(at);
    }

    using Key = std::tuple<std::string, std::string, std::string, int, std::int64_t>;

    FileMapping mapping_;
    const InspectionProgress& progress_;
    CodeInspection result_;
    std::map<Key, CompiledKernel> kernels_;
    std::size_t others_ = 0;
};

}  // namespace

CodeInspection inspect_file(const std::filesystem::path& path, const InspectionProgress& progress) {
    return Inspector(path, progress).inspect();
}

bool is_compiled_code(const std::filesystem::path& path) {
    constexpr std::size_t most = 1 << 16;
    std::string start(most, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return start.starts_with(archive_magic) || start.starts_with(thin_archive_magic) ||
           is_elf(start) || is_fat_binary(start) || is_ptx(start);
}

}  // namespace camber::binary
