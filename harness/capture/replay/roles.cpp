#include "harness/capture/replay/roles.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "harness/machine/binary/code_identity.hpp"

namespace camber::capture {

namespace {

// Large numbers in every floating-point format, and invalid indices: a kernel that reads poison
// computes another result. Two values, so that neither is taken for a result.
constexpr unsigned char poisons[] = {0x7b, 0xc1};

constexpr std::size_t most_parts = 256;
constexpr std::size_t most_ranges = 100000;  // of written bytes, per part

using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

// Adds a byte to a list of ranges in ascending order.
void add_byte(Ranges& ranges, std::uint64_t at) {
    if (!ranges.empty() && ranges.back().first + ranges.back().second == at)
        ++ranges.back().second;
    else
        ranges.emplace_back(at, 1);
}

// Bytes of the part that differ before and after the launch.
Ranges changed_bytes(const ByteVector& before, const ByteVector& after, const Part& part) {
    Ranges ranges;
    for (std::uint64_t page = part.begin; page < part.end; page += page_bytes) {
        const std::uint64_t end = std::min(page + page_bytes, part.end);
        if (std::memcmp(before.data() + page, after.data() + page, end - page) == 0) continue;
        for (std::uint64_t k = page; k < end; ++k)
            if (before[k] != after[k]) add_byte(ranges, k);
    }
    return ranges;
}

class Examination {
  public:
    Examination(ReplayedLaunch& replay, const LoadedKernel& kernel, std::vector<Part>& parts,
                std::size_t known, const BeginStep& begin)
        : replay_(replay), kernel_(kernel), parts_(parts), known_(known), begin_(begin) {
        for (std::size_t k = 0; k < parts.size(); ++k)
            if (replay.captured().buffers[parts[k].buffer].kind == BufferKind::variable)
                variables_.push_back(k);
            else
                single_.push_back(k);
    }

    void run() {
        replay_.keep_copies(kernel_);
        for (const std::uint64_t k : single_) find_written({k});
        if (!variables_.empty()) find_written(variables_);
        for (const std::uint64_t k : single_) find_read({k});
        find_read(variables_);
        for (Part& part : parts_)
            if (part.written.size() > most_ranges) part.written.clear();
    }

  private:
    using Group = std::vector<std::uint64_t>;

    // False for a step that an earlier process has done. Reports the others.
    bool begins(const Group& group) {
        const std::size_t step = step_++;
        if (step < known_) return false;
        begin_(step, group);
        return true;
    }

    bool is_fixed(const Group& group) const {
        return std::ranges::any_of(group, [&](std::uint64_t k) { return parts_[k].is_fixed; });
    }

    void replay_over(unsigned char poison, const Group& group) {
        replay_.restore(kernel_);
        for (const std::uint64_t k : group)
            replay_.fill(kernel_, parts_[k].buffer, parts_[k].begin, parts_[k].end, poison);
        replay_.launch(kernel_);
        replay_.wait();
    }

    ByteVector content_of(const Part& part) {
        return replay_.content(kernel_, part.buffer, part.begin, part.end);
    }

    // Stores the bytes that replace poison.
    void find_written(const Group& group) {
        if (!begins(group) || is_fixed(group)) return;
        std::vector<std::vector<bool>> kept(group.size());
        for (const unsigned char poison : poisons) {
            replay_over(poison, group);
            for (std::size_t g = 0; g < group.size(); ++g) {
                const ByteVector content = content_of(parts_[group[g]]);
                kept[g].resize(content.size(), true);
                for (std::size_t k = 0; k < content.size(); ++k)
                    if (content[k] != poison) kept[g][k] = false;
            }
        }
        for (std::size_t g = 0; g < group.size(); ++g) {
            Part& part = parts_[group[g]];
            part.written.clear();
            for (std::size_t k = 0; k < kept[g].size(); ++k)
                if (!kept[g][k]) add_byte(part.written, part.begin + k);
        }
    }

    // Stores whether the result depends on the group's content.
    void find_read(const Group& group) {
        if (group.empty() || !begins(group)) return;
        if (is_fixed(group)) {
            if (group.size() > 1) return find_read_in_halves(group);
            return;
        }
        if (depends_on(group)) {
            if (group.size() > 1) return find_read_in_halves(group);
            Part& part = parts_[group.front()];
            part.role = part.written.empty() ? Role::input : Role::in_place;
            if (part.role == Role::in_place) find_changes(part);
            return;
        }
        for (const std::uint64_t k : group)
            parts_[k].role = parts_[k].written.empty() ? Role::unused : Role::output;
    }

    void find_read_in_halves(const Group& group) {
        const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
        find_read({group.begin(), middle});
        find_read({middle, group.end()});
    }

    bool depends_on(const Group& group) {
        for (const unsigned char poison : poisons) {
            replay_over(poison, group);
            for (const std::uint64_t k : group) {
                const Part& part = parts_[k];
                const ByteVector content = content_of(part);
                const ByteVector& expected = expected_of(part.buffer);
                // A byte that is neither as recorded nor poison was computed from poison.
                for (std::size_t at = 0; at < content.size(); ++at)
                    if (content[at] != expected[part.begin + at] && content[at] != poison)
                        return true;
            }
            if (!is_result_right(group)) return true;
        }
        return false;
    }

    // Compares what the kernel writes outside of the group.
    bool is_result_right(const Group& group) {
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            const Part& part = parts_[k];
            const bool has_result = !part.written.empty() || replay_.changed(part.buffer);
            if (!has_result || std::ranges::find(group, k) != group.end()) continue;
            const ByteVector content = content_of(part);
            if (std::memcmp(content.data(), expected_of(part.buffer).data() + part.begin,
                            content.size()) != 0)
                return false;
        }
        return true;
    }

    // A part that is read may have other bytes that are only written: those that change.
    void find_changes(Part& part) {
        const ByteVector& expected = expected_of(part.buffer);
        const Ranges changed = changed_bytes(replay_.before(kernel_, part.buffer), expected, part);
        part.written.clear();
        if (changed.size() > most_ranges) return;
        for (const unsigned char poison : poisons) {
            replay_.restore(kernel_);
            for (const auto& [begin, bytes] : changed)
                replay_.fill(kernel_, part.buffer, begin, begin + bytes, poison);
            replay_.launch(kernel_);
            replay_.wait();
            const ByteVector content = content_of(part);
            if (std::memcmp(content.data(), expected.data() + part.begin, content.size()) != 0 ||
                !is_result_right({static_cast<std::uint64_t>(&part - parts_.data())}))
                return;
        }
        part.written = changed;
    }

    const ByteVector& expected_of(std::uint64_t buffer) {
        const auto [found, is_new] = expected_.try_emplace(buffer);
        if (is_new) found->second = replay_.expected(kernel_, buffer);
        return found->second;
    }

    ReplayedLaunch& replay_;
    const LoadedKernel& kernel_;
    std::vector<Part>& parts_;
    std::size_t known_;
    const BeginStep& begin_;
    std::size_t step_ = 0;
    Group single_, variables_;
    std::map<std::uint64_t, ByteVector> expected_;
};

// Types of the parameters in a demangled name: "f(float const*, int)".
std::vector<std::string> parameter_types(const std::string& name) {
    std::vector<std::string> types;
    if (name.empty() || name.back() != ')') return types;
    int depth = 0;
    std::size_t open = name.size();
    for (std::size_t k = name.size(); k-- > 0;) {
        if (name[k] == ')') ++depth;
        if (name[k] == '(' && --depth == 0) {
            open = k;
            break;
        }
    }
    std::string type;
    depth = 0;
    for (std::size_t k = open + 1; k + 1 < name.size(); ++k) {
        const char c = name[k];
        if (c == '<' || c == '(' || c == '[') ++depth;
        if (c == '>' || c == ')' || c == ']') --depth;
        if (c == ',' && depth == 0)
            types.push_back(std::exchange(type, ""));
        else
            type += c;
    }
    if (!type.empty()) types.push_back(type);
    return types;
}

Element element_named(const std::string& type) {
    static const std::map<std::string, Element> elements{
        {"float", Element::float32},          {"double", Element::float64},
        {"__half", Element::float16},         {"half", Element::float16},
        {"c10::Half", Element::float16},      {"__nv_bfloat16", Element::bfloat16},
        {"c10::BFloat16", Element::bfloat16}, {"float2", Element::float32},
        {"float4", Element::float32},         {"double2", Element::float64},
        {"double4", Element::float64}};
    if (type.find('*') == type.npos) return Element::bytes;
    std::string plain = type.substr(0, type.find('*'));
    if (const std::size_t qualifier = plain.find(" const"); qualifier != plain.npos)
        plain.erase(qualifier);
    while (!plain.empty() && plain.front() == ' ') plain.erase(0, 1);
    while (!plain.empty() && plain.back() == ' ') plain.pop_back();
    const auto found = elements.find(plain);
    return found != elements.end() ? found->second : Element::bytes;
}

}  // namespace

std::vector<Part> parts_of(const Capture& capture, std::size_t index) {
    const CapturedLaunch& launch = capture.file.launches.at(index);
    ByteVector parameters;
    from_hexadecimal(launch.parameters, parameters);
    std::vector<std::set<std::uint64_t>> starts(launch.buffers.size());
    std::size_t count = launch.buffers.size();
    for (const PointerWord& word : launch.pointers) {
        std::uint64_t address = 0;
        std::memcpy(&address, parameters.data() + word.offset, sizeof address);
        const std::uint64_t offset = address - launch.buffers[word.buffer].address;
        if (offset > 0 && offset < launch.buffers[word.buffer].bytes && count < most_parts &&
            starts[word.buffer].insert(offset).second)
            ++count;
    }
    std::vector<Part> parts;
    for (std::size_t k = 0; k < launch.buffers.size(); ++k) {
        starts[k].insert(0);
        starts[k].insert(launch.buffers[k].bytes);
        for (auto start = starts[k].begin(); std::next(start) != starts[k].end(); ++start)
            parts.push_back({k, *start, *std::next(start), Role::input, false, {}});
    }
    // Parts that certainly are outputs first: a replay over a poisoned input may crash.
    std::ranges::stable_partition(
        parts, [&](const Part& part) { return !launch.buffers[part.buffer].changed.empty(); });
    return parts;
}

std::vector<Element> elements_of(const Capture& capture, std::size_t index,
                                 const std::vector<Part>& parts) {
    const CapturedLaunch& launch = capture.file.launches.at(index);
    const std::vector<std::string> types =
        parameter_types(binary::readable_name(capture.file.kernel));
    std::vector<Element> elements(parts.size(), Element::bytes);
    if (types.size() != capture.file.parameters.size()) return elements;
    ByteVector parameters;
    from_hexadecimal(launch.parameters, parameters);
    for (const PointerWord& word : launch.pointers) {
        std::uint64_t address = 0;
        std::memcpy(&address, parameters.data() + word.offset, sizeof address);
        const std::uint64_t offset = address - launch.buffers[word.buffer].address;
        for (std::size_t p = 0; p < types.size(); ++p)
            if (capture.file.parameters[p].offset == word.offset)
                for (std::size_t k = 0; k < parts.size(); ++k)
                    if (parts[k].buffer == word.buffer && offset >= parts[k].begin &&
                        offset < parts[k].end)
                        elements[k] = element_named(types[p]);
    }
    return elements;
}

void find_roles(ReplayedLaunch& replay, const LoadedKernel& kernel, std::vector<Part>& parts,
                std::size_t known, const BeginStep& begin) {
    Examination(replay, kernel, parts, known, begin).run();
}

}  // namespace camber::capture
