#include "harness/measure/correctness/reference_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "harness/machine/sass/kernel_code.hpp"

namespace camber {

Ledger::Ledger(const Workload& workload, int generations, int rows)
    : workload_(workload),
      generations_(generations),
      interval_(std::max(1, (generations + rows - 1) / rows)) {}

void Ledger::enter(int generations, const State& state) {
    if (workload_.facts().account.empty()) return;
    if (generations % interval_ == 0 || generations == generations_)
        rows_.push_back({generations, workload_.final_state(state)});
}

std::vector<results::AccountRow> Ledger::rows() const {
    std::vector<results::AccountRow> list;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const FinalState& now = rows_[k].state;
        const FinalState& before = rows_[k > 0 ? k - 1 : 0].state;
        results::AccountRow& row = list.emplace_back();
        row.generation = rows_[k].generation;
        row.quantity = now.quantity;
        row.amount = now.amount;
        double expected = before.amount;
        for (const AccountEntry& entry : workload_.facts().account) {
            const double change = now.account.at(entry.name) - before.account.at(entry.name);
            row.changes.emplace_back(entry.name, change);
            expected += entry.sign * change;
        }
        row.unaccounted = now.amount - expected;
    }
    return list;
}

namespace {

constexpr std::string_view form = "camber reference 1\n";
constexpr const char* prefix = "reference-";
constexpr std::size_t largest_file = std::size_t{64} << 20;  // bytes
constexpr std::uintmax_t largest_sum = std::uintmax_t{512} << 20;
constexpr int many_steps = 100;
constexpr std::int64_t many_cell_steps = 20'000'000;  // take at least a quarter of a second

// FNV-1a hash.
std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325) {
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return hash;
}

std::string_view bytes_of(const HostField& field) {
    const auto bytes = field.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Serializes values as consecutive bytes.
class Packer {
  public:
    template <class T>
    requires std::is_arithmetic_v<T>
    void add(T value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void add(std::string_view text) {
        add(text.size());
        text_ += text;
    }
    void add(const std::map<std::string, double>& values) {
        add(values.size());
        for (const auto& [name, value] : values) {
            add(std::string_view(name));
            add(value);
        }
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

class Unpacker {
  public:
    explicit Unpacker(std::string_view text) : rest_(text) {}

    // Returns false if too few bytes are left.
    template <class T>
    requires std::is_arithmetic_v<T>
    bool take(T& value) {
        if (rest_.size() < sizeof value) return false;
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
        return true;
    }
    bool take(std::string_view& text) {
        std::size_t size = 0;
        if (!take(size) || rest_.size() < size) return false;
        text = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return true;
    }
    bool take(std::string& text) {
        std::string_view view;
        if (!take(view)) return false;
        text = view;
        return true;
    }
    bool take(std::map<std::string, double>& values) {
        std::size_t count = 0;
        if (!take(count)) return false;
        for (std::size_t k = 0; k < count; ++k) {
            std::string name;
            if (!take(name) || !take(values[name])) return false;
        }
        return true;
    }
    bool at_end() const { return rest_.empty(); }

  private:
    std::string_view rest_;
};

std::string key_of(std::string_view program, const Workload& workload, const State& start,
                   const GenerationContext& context, int generations) {
    std::string key = fmt::format("{}{} {} {} {}+{}", form, program, workload.name(),
                                  name(context.boundary), context.number, generations);
    if (const std::string& rule = context.parameters.rule(); !rule.empty()) key += " " + rule;
    for (const auto& [name, values] : context.parameters.all()) {
        key += " " + name;
        for (const double value : values) key += fmt::format(" {:a}", value);
    }
    for (const auto& [name, value] : start.account) key += fmt::format(" {} {:a}", name, value);
    for (const HostField& field : start.fields)
        key += fmt::format(" {} {} {}x{} {:016x}", field.name(), info(field.element()).name,
                           field.size().columns, field.size().rows, hash_of(bytes_of(field)));
    return key;
}

template <class Forms>
bool take_state(Unpacker& unpacker, const Forms& forms, State& state) {
    if (!unpacker.take(state.account)) return false;
    for (const auto& form : forms) {
        HostField field(form.name, form.element, form.size);
        std::string_view bytes;
        if (!unpacker.take(bytes) || bytes.size() != field.bytes().size()) return false;
        std::memcpy(field.bytes().data(), bytes.data(), bytes.size());
        state.fields.push_back(std::move(field));
    }
    return true;
}

bool take_rows(Unpacker& unpacker, std::vector<Ledger::Row>& rows) {
    std::size_t count = 0;
    if (!unpacker.take(count)) return false;
    for (std::size_t k = 0; k < count; ++k) {
        Ledger::Row& row = rows.emplace_back();
        if (!unpacker.take(row.generation) || !unpacker.take(row.state.quantity) ||
            !unpacker.take(row.state.amount) || !unpacker.take(row.state.checksum) ||
            !unpacker.take(row.state.account))
            return false;
    }
    return unpacker.at_end();
}

}  // namespace

ReferenceCache::ReferenceCache(CacheFolder folder, std::string_view program,
                               const Workload& workload, const State& start,
                               const GenerationContext& context, int generations)
    : folder_(std::move(folder)) {
    if (program.empty()) return;
    key_ = key_of(program, workload, start, context, generations);
    for (const HostField& field : start.fields)
        fields_.push_back({field.name(), field.element(), field.size()});
    name_ = fmt::format("{}{}-{:016x}", prefix, CacheFolder::part(workload.name()), hash_of(key_));
}

std::optional<CachedReference> ReferenceCache::read() const {
    if (key_.empty()) return std::nullopt;
    const auto text = folder_.read(name_);
    std::uint64_t sum = 0;
    if (!text || text->size() < sizeof sum) return std::nullopt;
    std::string_view body = *text;
    std::memcpy(&sum, body.data() + body.size() - sizeof sum, sizeof sum);
    body.remove_suffix(sizeof sum);
    if (hash_of(body) != sum) return std::nullopt;
    Unpacker unpacker(body);
    std::string_view key;
    CachedReference kept;
    if (!unpacker.take(key) || key != key_ || !take_state(unpacker, fields_, kept.state) ||
        !take_rows(unpacker, kept.rows))
        return std::nullopt;
    return kept;
}

void ReferenceCache::write(const State& state, const std::vector<Ledger::Row>& rows) const {
    if (key_.empty()) return;
    Packer packer;
    packer.add(std::string_view(key_));
    packer.add(state.account);
    for (const HostField& field : state.fields) packer.add(bytes_of(field));
    packer.add(rows.size());
    for (const Ledger::Row& row : rows) {
        packer.add(row.generation);
        packer.add(std::string_view(row.state.quantity));
        packer.add(row.state.amount);
        packer.add(row.state.checksum);
        packer.add(row.state.account);
    }
    std::string text = packer.take();
    const std::uint64_t sum = hash_of(text);
    text.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    if (text.size() > largest_file) return;
    folder_.make_room(prefix, largest_sum - text.size());
    folder_.write(name_, text);
}

std::string program_mark() {
    const auto file = code_file_of(reinterpret_cast<const void*>(&expected_state));
    return file ? file->build_id : "";
}

bool is_worth_keeping(const Workload& workload, Size size, int generations) {
    return workload.capabilities().eruption != nullptr && generations >= many_steps &&
           size.cells() * generations >= many_cell_steps;
}

}  // namespace camber
