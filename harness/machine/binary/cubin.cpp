#include "harness/machine/binary/cubin.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "harness/machine/binary/code_identity.hpp"
#include "harness/machine/binary/elf.hpp"
#include "harness/machine/binary/machine_code.hpp"

namespace camber::binary {
namespace {

constexpr std::string_view text_prefix = ".text.";
constexpr std::string_view info_prefix = ".nv.info.";
constexpr std::string_view shared_prefix = ".nv.shared.";
constexpr std::string_view constant_prefix = ".nv.constant";
constexpr std::uint8_t entry_flag = 0x10;  // of a symbol: a kernel, not a device function
// From compute capability 9.0 on, a kernel's shared memory begins with the kilobyte that the system
// uses, and the section's size includes it.
constexpr std::int64_t reserved_shared_bytes = 1024;
constexpr int first_with_reserved_bytes = 90;
constexpr std::size_t most_calls = 200;
constexpr int address_bank = 4;
// From this version of the ELF format on, the architecture is in other bits.
constexpr int new_abi = 8;

int architecture_of(const Elf& elf) {
    return static_cast<int>(elf.abi_version() >= new_abi ? elf.flags() >> 8 & 0xff
                                                         : elf.flags() & 0xff);
}

// A cubin with its symbols, and the hashes of its functions.
class Cubin {
  public:
    explicit Cubin(const Bytes& file) : elf_(file) {
        if (elf_.machine() != cuda_machine)
            file.fail(offsetof(Elf64_Ehdr, e_machine),
                      fmt::format("this ELF file is for machine {} and not for CUDA's {}",
                                  elf_.machine(), cuda_machine));
        symbols_ = elf_.symbols();
        for (const ElfSection& section : elf_.sections()) {
            by_name_.try_emplace(section.name, &section);
            if (section.type == SHT_REL || section.type == SHT_RELA)
                relocated_[section.info].push_back(&section);
        }
        for (std::size_t k = 0; k < symbols_.size(); ++k) {
            const ElfSymbol& symbol = symbols_[k];
            if (symbol.type == STT_FUNC && symbol.section < elf_.sections().size())
                functions_.try_emplace(symbol.name, k);
            if (symbol.type == STT_OBJECT && symbol.section < elf_.sections().size())
                objects_[symbol.section].push_back(&symbol);
        }
        for (auto& [section, objects] : objects_) std::ranges::sort(objects, {}, &ElfSymbol::value);
    }

    std::vector<results::CompiledKernel> kernels(std::string_view architecture) {
        const int number = architecture_of(elf_);
        std::string name(architecture);
        if (name.empty()) {
            const ElfSection* const compatibility = find(".nv.compat");
            const bool specific = compatibility && is_architecture_specific(*compatibility);
            name = fmt::format("sm_{}{}", number, specific ? "a" : "");
        }
        ModuleAttributes module;
        if (const ElfSection* const info = find(".nv.info")) module = module_attributes(*info);
        std::vector<results::CompiledKernel> kernels;
        for (const ElfSection& section : elf_.sections()) {
            if (!section.name.starts_with(text_prefix) || section.type != SHT_PROGBITS) continue;
            const std::string_view symbol = section.name.substr(text_prefix.size());
            const auto function = functions_.find(symbol);
            if (function == functions_.end()) continue;
            kernels.push_back(kernel(section, symbol, function->second, module, number));
            kernels.back().architecture = name;
        }
        return kernels;
    }

  private:
    const ElfSection* find(std::string_view name) const {
        const auto found = by_name_.find(name);
        return found == by_name_.end() ? nullptr : found->second;
    }

    const ElfSection* find(std::string_view prefix, std::string_view symbol) const {
        std::string name(prefix);
        return find(name += symbol);
    }

    std::uint32_t number_of(const ElfSection& section) const {
        return static_cast<std::uint32_t>(&section - elf_.sections().data());
    }

    results::CompiledKernel kernel(const ElfSection& text, std::string_view symbol,
                                   std::size_t number, const ModuleAttributes& module,
                                   int architecture) {
        results::CompiledKernel kernel;
        kernel.symbol = symbol;
        kernel.name = readable_name(symbol);
        kernel.kind = (symbols_[number].other & entry_flag) != 0 ? results::CodeKind::kernel
                                                                 : results::CodeKind::function;
        const auto key = static_cast<std::uint32_t>(number);
        const auto get = [key](const auto& values, auto& into) {
            if (const auto found = values.find(key); found != values.end())
                into = static_cast<typename std::decay_t<decltype(into)>::value_type>(
                    std::min<std::int64_t>(found->second, INT32_MAX));
        };
        get(module.registers, kernel.registers);
        get(module.frame_bytes, kernel.frame_bytes);
        get(module.stack_bytes, kernel.stack_bytes);
        if (const ElfSection* const info = find(info_prefix, symbol)) {
            const FunctionAttributes own = function_attributes(*info);
            kernel.max_block = own.max_block;
            kernel.required_block = own.required_block;
            kernel.parameter_bytes = own.parameter_bytes;
            kernel.barriers = own.barriers;
        }
        kernel.shared_bytes = shared_bytes(symbol, architecture);
        constants_of(symbol, kernel.constant_bytes);
        kernel.code_bytes = static_cast<std::int64_t>(text.data().size());
        if (architecture >= first_architecture) {
            InstructionCounts counts = count_instructions(text.data().text(), architecture);
            kernel.instructions = counts.total;
            kernel.local_loads = counts.local_loads;
            kernel.local_stores = counts.local_stores;
            kernel.mix = std::move(counts.by_class);
        }
        kernel.hash = hash_of(text, architecture);
        return kernel;
    }

    std::int64_t shared_bytes(std::string_view symbol, int architecture) const {
        const ElfSection* const shared = find(shared_prefix, symbol);
        if (shared == nullptr) return 0;
        const auto bytes =
            static_cast<std::int64_t>(std::min<std::uint64_t>(shared->size, INT32_MAX));
        const bool has_reserved =
            architecture >= first_with_reserved_bytes && find(".nv.shared.reserved.0") != nullptr;
        return has_reserved ? std::max<std::int64_t>(0, bytes - reserved_shared_bytes) : bytes;
    }

    // Constant banks of the kernel, ".nv.constant0.NAME", and of the whole file, ".nv.constant3".
    void constants_of(std::string_view symbol, std::map<std::string, std::int64_t>& banks) const {
        constexpr int most_banks = 32;
        for (int bank = 0; bank < most_banks; ++bank) {
            std::string name = fmt::format("{}{}", constant_prefix, bank);
            const ElfSection* section = find(name);
            if (section == nullptr) section = find(fmt::format("{}.{}", name, symbol));
            if (section != nullptr && section->size > 0)
                banks[std::to_string(bank)] =
                    static_cast<std::int64_t>(std::min<std::uint64_t>(section->size, INT32_MAX));
        }
    }

    // ---- hash of the machine code, without what depends on the place of other code and data

    std::string hash_of(const ElfSection& text, int architecture) {
        const std::uint32_t number = number_of(text);
        if (const auto known = hashes_.find(number); known != hashes_.end()) return known->second;
        // A function that calls itself through others, or a chain of calls that no program has.
        if (in_progress_.size() > most_calls || !in_progress_.insert(number).second)
            return "recursive";
        Hash hash;
        if (architecture >= first_architecture)
            add_instructions(hash, text);
        else
            hash.add(text.data().text());
        for (const auto& [offset, relocation] : relocations_of(number)) {
            hash.add(offset);
            hash.add(relocation.type);
            add_symbol(hash, relocation.symbol, number, architecture);
            hash.add(static_cast<std::uint64_t>(relocation.addend));
        }
        add_literals(hash, text, architecture);
        in_progress_.erase(number);
        return hashes_[number] = hash.digits();
    }

    using Relocations = std::multimap<std::uint64_t, ElfRelocation>;

    Relocations relocations_of(std::uint32_t section) const {
        Relocations relocations;
        if (const auto found = relocated_.find(section); found != relocated_.end())
            for (const ElfSection* const list : found->second)
                for (const ElfRelocation& relocation : Elf::relocations(*list))
                    relocations.emplace(relocation.offset, relocation);
        return relocations;
    }

    void add_instructions(Hash& hash, const ElfSection& text) {
        const Bytes data = text.data();
        const std::string_view code = data.text();
        const std::size_t count = instructions_without_padding(code);
        const std::set<std::size_t> indices = address_indices(code, count);
        for (std::size_t k = 0; k < count; ++k) {
            std::uint64_t lower = lower_half(code, k);
            const auto operand = constant_operand(lower);
            const bool by_index = operand && operand->bank == address_bank && constant_index(lower);
            if (operand && !by_index && add_constant(hash, *operand)) {
                lower = without_constant_offset(lower);
            } else if (indices.contains(k)) {
                add_constant(hash, {address_bank, moved_immediate(lower)->value});
                lower = without_immediate(lower);
            }
            hash.add(lower);
            hash.add(upper_half(code, k));
        }
    }

    // Instructions that move an offset in the bank of addresses to a register with which an LDC
    // then reads it, as calls of printf() do.
    std::set<std::size_t> address_indices(std::string_view code, std::size_t count) {
        std::set<std::size_t> indices;
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint64_t lower = lower_half(code, k);
            const auto index = constant_index(lower);
            const auto operand = constant_operand(lower);
            if (!index || !operand || operand->bank != address_bank) continue;
            constexpr std::size_t most_between = 1000;
            for (std::size_t back = 1; back <= std::min(k, most_between); ++back) {
                const auto moved = moved_immediate(lower_half(code, k - back));
                if (!moved || moved->target != *index) continue;
                if (addresses().contains(moved->value)) indices.insert(k - back);
                break;
            }
        }
        return indices;
    }

    // Constants of the source file (bank 3) and addresses of its variables (bank 4) are placed by
    // the compiler in an order that depends on the other kernels of the file: the hash has their
    // names. False if the operand is in another bank, or the name is unknown.
    bool add_constant(Hash& hash, const ConstantOperand& operand) {
        constexpr int variable_bank = 3;
        if (operand.bank == variable_bank) {
            const ElfSection* const bank = find(".nv.constant3");
            const ElfSymbol* const object =
                bank == nullptr ? nullptr : object_at(number_of(*bank), operand.offset);
            if (object == nullptr) return false;
            hash.add(stable_symbol(object->name));
            hash.add(operand.offset - object->value);
            return true;
        }
        if (operand.bank != address_bank) return false;
        // An address has two words.
        constexpr std::uint32_t address_bytes = 8;
        const auto found = addresses().find(operand.offset / address_bytes * address_bytes);
        if (found == addresses().end()) return false;
        add_symbol(hash, found->second.symbol, 0, first_architecture);
        hash.add(static_cast<std::uint64_t>(found->second.addend));
        hash.add(operand.offset % address_bytes);
        return true;
    }

    // Relocations of bank 4, each of which is the address of a symbol.
    const Relocations& addresses() {
        if (!addresses_) {
            const ElfSection* const bank = find(".nv.constant4");
            addresses_ = bank == nullptr ? Relocations() : relocations_of(number_of(*bank));
        }
        return *addresses_;
    }

    // The variable with byte `offset` of a section, or nullptr.
    const ElfSymbol* object_at(std::uint32_t section, std::uint64_t offset) const {
        const auto found = objects_.find(section);
        if (found == objects_.end()) return nullptr;
        const auto after = std::ranges::upper_bound(found->second, offset, {}, &ElfSymbol::value);
        if (after == found->second.begin()) return nullptr;
        const ElfSymbol* const object = *std::prev(after);
        return offset - object->value < std::max<std::uint64_t>(1, object->size) ? object : nullptr;
    }

    // Adds what a symbol stands for: the code of a function that is called, the content of a string
    // constant, and otherwise the stable name.
    void add_symbol(Hash& hash, std::uint32_t index, std::uint32_t within, int architecture) {
        if (index >= symbols_.size()) return hash.add("unknown");
        const ElfSymbol& symbol = symbols_[index];
        const bool defined = symbol.section > 0 && symbol.section < elf_.sections().size();
        if (!defined) return hash.add(stable_symbol(symbol.name));
        const ElfSection& section = elf_.sections()[symbol.section];
        if (symbol.section == within) {
            hash.add("own section");
            return hash.add(symbol.value);
        }
        if (section.name.starts_with(text_prefix)) {
            hash.add(hash_of(section, architecture));
            return hash.add(symbol.value);
        }
        // Shared memory: the position in the block's, because names have numbers of the file.
        if (section.name.starts_with(shared_prefix)) {
            hash.add("shared memory");
            return hash.add(symbol.value);
        }
        const Bytes data = section.data();
        if (symbol.name.starts_with('$') && symbol.value <= data.size() &&
            symbol.size <= data.size() - symbol.value)
            return hash.add(data.text().substr(symbol.value, symbol.size));
        hash.add(stable_symbol(symbol.type == STT_SECTION ? section.name : symbol.name));
        hash.add(symbol.type == STT_SECTION ? symbol.value : 0);
    }

    // Literals that the compiler put into a constant bank of the kernel's own, such as double
    // constants and jump tables.
    void add_literals(Hash& hash, const ElfSection& text, int architecture) {
        const std::string_view symbol = text.name.substr(text_prefix.size());
        for (const int bank : {2, 5})
            if (const ElfSection* const literals =
                    find(fmt::format("{}{}.", constant_prefix, bank), symbol)) {
                hash.add(literals->data().text());
                for (const auto& [offset, relocation] : relocations_of(number_of(*literals))) {
                    hash.add(offset);
                    add_symbol(hash, relocation.symbol, number_of(text), architecture);
                    hash.add(static_cast<std::uint64_t>(relocation.addend));
                }
            }
    }

    Elf elf_;
    std::vector<ElfSymbol> symbols_;
    std::unordered_map<std::string_view, const ElfSection*> by_name_;
    std::unordered_map<std::string_view, std::size_t> functions_;
    std::unordered_map<std::uint32_t, std::vector<const ElfSection*>> relocated_;
    std::unordered_map<std::uint32_t, std::vector<const ElfSymbol*>> objects_;
    std::optional<Relocations> addresses_;
    std::unordered_map<std::uint32_t, std::string> hashes_;
    std::set<std::uint32_t> in_progress_;
};

}  // namespace

std::vector<results::CompiledKernel> kernels_in_cubin(const Bytes& file,
                                                      std::string_view architecture) {
    return Cubin(file).kernels(architecture);
}

}  // namespace camber::binary
