#include "harness/capture/replay/roles.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "harness/machine/binary/kernel_names.hpp"

namespace camber::capture {

namespace {

// Large numbers in every floating-point format, and invalid indices: a kernel that reads poison
// computes another result. Two values, so that neither is taken for a result.
constexpr unsigned char poisons[] = {0x7b, 0xc1};

constexpr std::size_t most_parts = 256;
constexpr std::size_t most_ranges = 100000;  // of written bytes, per part

// Range of bytes, in a list of ranges.
void add_byte(std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges, std::uint64_t at) {
    if (!ranges.empty() && ranges.back().first + ranges.back().second == at)
        ++ranges.back().second;
    else
        ranges.emplace_back(at, 1);
}

// Bytes of the part that differ before and after the launch.
std::vector<std::pair<std::uint64_t, std::uint64_t>> changed_bytes(const ByteVector& before,
                                                                   const ByteVector& after,
                                                                   const Part& part) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
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
    Examination(ReplayedLaunch& replay, const LoadedKernel& kernel)
        : replay_(replay), kernel_(kernel) {}

    // Replays with poison in `ranges` of the part's buffer. Returns true if the result outside the
    // part is as recorded; `written` receives the bytes of the part that are as recorded.
    bool is_unread(const Part& part,
                   const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges,
                   const ByteVector& expected, std::vector<bool>& written) {
        written.assign(part.end - part.begin, true);
        for (const unsigned char poison : poisons) {
            replay_.restore(kernel_);
            for (const auto& [begin, bytes] : ranges)
                replay_.fill(kernel_, part.buffer, begin, begin + bytes, poison);
            replay_.launch(kernel_);
            replay_.wait();
            const ByteVector content = replay_.content(kernel_, part.buffer);
            for (std::uint64_t k = part.begin; k < part.end; ++k)
                if (content[k] != expected[k]) written[k - part.begin] = false;
            // A byte that is neither as recorded nor poison was computed from poison.
            for (const auto& [begin, bytes] : ranges)
                for (std::uint64_t k = begin; k < begin + bytes; ++k)
                    if (content[k] != expected[k] && content[k] != poison) return false;
            Difference others;
            for (std::size_t k = 0; k < replay_.captured().buffers.size(); ++k) {
                if (k != part.buffer) {
                    replay_.add_differences(kernel_, k, {}, others);
                    continue;
                }
                const auto outside = [&](std::uint64_t begin, std::uint64_t end) {
                    if (end > begin && std::memcmp(content.data() + begin, expected.data() + begin,
                                                   end - begin) != 0)
                        ++others.bytes;
                };
                outside(0, part.begin);
                outside(part.end, content.size());
            }
            if (others.bytes != 0) return false;
        }
        return true;
    }

    void examine(Part& part) {
        const ByteVector expected = replay_.expected(kernel_, part.buffer);
        const ByteVector before = replay_.before(kernel_, part.buffer);
        const auto changed = changed_bytes(before, expected, part);
        std::vector<bool> written;
        if (is_unread(part, {{part.begin, part.end - part.begin}}, expected, written)) {
            for (std::uint64_t k = part.begin; k < part.end; ++k)
                if (written[k - part.begin]) add_byte(part.written, k);
            part.role = part.written.empty() ? Role::unused : Role::output;
            if (part.written.size() <= most_ranges) return;
            part.written = changed;
        } else if (changed.empty()) {
            part.role = Role::input;
        } else {
            // Some bytes are read. Those that change may still be written only.
            part.role = Role::in_place;
            if (changed.size() > most_ranges) return;
            if (!is_unread(part, changed, expected, written)) return;
            const bool all_written = std::ranges::all_of(changed, [&](const auto& range) {
                for (std::uint64_t k = range.first; k < range.first + range.second; ++k)
                    if (!written[k - part.begin]) return false;
                return true;
            });
            if (all_written) part.written = changed;
        }
        if (part.written.size() > most_ranges) part.written.clear();
    }

  private:
    ReplayedLaunch& replay_;
    const LoadedKernel& kernel_;
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
            parts.push_back({k, *start, *std::next(start), Role::input, {}});
    }
    // Parts that certainly are outputs first: a replay over a poisoned input may crash.
    std::ranges::stable_partition(parts, [&](const Part& part) {
        return !launch.buffers[part.buffer].changed.empty();
    });
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
                std::size_t known, const std::function<void(std::size_t)>& begin) {
    Examination examination(replay, kernel);
    for (std::size_t k = known; k < parts.size(); ++k) {
        begin(k);
        examination.examine(parts[k]);
    }
    begin(parts.size());
}

}  // namespace camber::capture
