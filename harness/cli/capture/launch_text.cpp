#include "harness/cli/capture/launch_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/base/statistics.hpp"
#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"
#include "harness/capture/replay/comparison.hpp"
#include "harness/cli/capture/capture_document.hpp"
#include "harness/cli/common/messages.hpp"

namespace camber {

using namespace capture;

namespace {

constexpr double worth_noting = 0.05;  // difference between times in the program and in the replay

std::uint64_t written_bytes(const Part& part) {
    std::uint64_t bytes = 0;
    for (const auto& [begin, count] : part.written) bytes += count;
    return bytes;
}

std::string place_text(const WorkerResult& result) {
    if (result.moved_buffers > 0)
        return fmt::format("{} allocations are at new addresses, {} pointers are patched",
                           result.moved_buffers, result.patched_words);
    return fmt::format(
        "all addresses are the old ones{}",
        result.patched_words > 0
            ? fmt::format(", {} addresses of variables are patched", result.patched_words)
            : std::string());
}

// Bandwidth of the memory that must move at least, beside a copy's. Memory pools contain more than
// the kernel reads: then nothing is said.
std::string bandwidth_text(const Studied& studied, double ns, const std::optional<double>& copy) {
    const auto bytes = static_cast<double>(moved_bytes(studied.result.parts));
    const double bandwidth = bytes / ns * 1e9;
    constexpr double slack = 1.05;
    if (!copy || bandwidth > slack * *copy) return "";
    return fmt::format(
        "inputs and outputs have {:.2f} MB: moved once, the original moves {:.1f} GB/s "
        "with L2 flushed, {} of what a copy reaches on this card\n",
        bytes / 1e6, bandwidth / 1e9, percent(bandwidth / *copy));
}

std::string program_text(const ProgramTimes& program, double warm_ns, double cold_ns) {
    std::string text = fmt::format(
        "in the program: {}, {}\n", duration(program.median_ns),
        program.undisturbed ? fmt::format("median of {} launches", program.launches)
                            : std::string("the captured launch, after its memory was copied"));
    const double nearest = std::min(std::abs(warm_ns / program.median_ns - 1),
                                    std::abs(cold_ns / program.median_ns - 1));
    if (nearest <= worth_noting) return text;
    const bool between = (warm_ns - program.median_ns) * (cold_ns - program.median_ns) < 0;
    return text + (between
                       ? "the program's caches are between warm and flushed: data of the kernel is "
                         "partly in L2 when it starts\n"
                       : "the state of caches or clocks in the program differs from both in the "
                         "replay\n");
}

// True if the first byte that differs is still the poison of an output.
bool is_poison(const Difference& difference) {
    ByteVector actual;
    from_hexadecimal(difference.actual, actual);
    const std::size_t at = difference.first_offset % sizeof(std::uint64_t);
    return at < actual.size() &&
           std::ranges::find(output_poisons, actual[at]) != output_poisons.end();
}

Element element_at(const std::vector<Part>& parts, const std::vector<Element>& elements,
                   std::uint64_t buffer, std::uint64_t offset) {
    for (std::size_t k = 0; k < parts.size(); ++k)
        if (parts[k].buffer == buffer && offset >= parts[k].begin && offset < parts[k].end)
            return elements[k];
    return Element::bytes;
}

}  // namespace

std::string folder_size(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        bytes += entry.file_size(error);
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string layout_text(const std::vector<Parameter>& parameters) {
    std::vector<std::uint64_t> bytes;
    for (const Parameter& one : parameters) bytes.push_back(one.bytes);
    return bytes.empty() ? "none" : fmt::format("{} bytes", fmt::join(bytes, ", "));
}

std::string difference_text(const Difference& difference, const std::vector<Part>& parts,
                            const std::vector<Element>& elements) {
    const std::string place =
        fmt::format("{} bytes differ, first in buffer {} at byte {}", difference.bytes,
                    difference.first_buffer, difference.first_offset);
    if (is_poison(difference)) return place + ", which was not written";
    const Element element =
        element_at(parts, elements, difference.first_buffer, difference.first_offset);
    ByteVector expected;
    ByteVector actual;
    from_hexadecimal(difference.expected, expected);
    from_hexadecimal(difference.actual, actual);
    const std::size_t bytes = element_bytes(element);
    const std::size_t at = difference.first_offset % sizeof(std::uint64_t) / bytes * bytes;
    if (element == Element::bytes || at + bytes > expected.size())
        return fmt::format("{}: {} instead of {}", place, difference.actual, difference.expected);
    return fmt::format("{}: {} instead of {}", place, value_of(element, actual.data() + at),
                       value_of(element, expected.data() + at));
}

std::string missing_text(const std::vector<std::string>& variables) {
    constexpr std::size_t most = 3;
    if (variables.empty()) return "";
    const auto shown =
        variables.begin() + static_cast<std::ptrdiff_t>(std::min(variables.size(), most));
    return fmt::format("; it lacks the variables {}{}", fmt::join(variables.begin(), shown, ", "),
                       variables.size() > most ? " and others" : "");
}

bool is_wrong(const WorkerResult& result) {
    return result.deterministic && result.difference && result.difference->bytes > 0;
}

std::string replay_text(const Studied& studied) {
    const WorkerResult& result = studied.result;
    const std::string place = place_text(result);
    const Difference difference = result.difference.value_or(Difference{});
    std::string text = fmt::format("replay on {}: ", printable(result.device, 100));
    if (difference.bytes == 0)
        text += fmt::format("every byte equals the program's result; {}\n", place);
    else if (!result.deterministic)
        text += fmt::format(
            "up to {} bytes differ from the program's result, as replays differ from each other; "
            "{}\n",
            difference.bytes, place);
    else
        text += fmt::format("WRONG, {}; {}\n",
                            difference_text(difference, result.parts, studied.elements), place);
    if (result.deterministic)
        return text + (difference.bytes == 0 ? "3 replays gave the same bytes\n" : "");
    for (const ByteTolerance& one : result.variations)
        text += fmt::format(
            "the kernel is not deterministic: buffer {} varies{}, which candidates may, too\n",
            one.buffer,
            one.element == Element::bytes ? std::string()
                                          : fmt::format(" by up to {:.3g} ({:.2g} relative)",
                                                        one.absolute / 4, one.relative / 4));
    return text;
}

std::string parts_text(const Capture& capture, const Studied& studied) {
    const CapturedLaunch& launch = capture.file.launches[studied.index];
    TextTable table(
        {{"buffer"}, {"bytes"}, {"role", Align::left}, {"written"}, {"memory", Align::left}});
    for (const Part& part : studied.result.parts) {
        if (part.role == Role::unused) continue;
        const Buffer& buffer = launch.buffers[part.buffer];
        std::string memory = results::Names<BufferKind>::text(buffer.kind);
        if (!buffer.name.empty()) memory += " " + printable(buffer.name, 60);
        if (part.begin > 0) memory += fmt::format(", from byte {}", part.begin);
        table.add({fmt::format("{}", part.buffer), fmt::format("{}", part.end - part.begin),
                   results::Names<Role>::text(part.role),
                   part.written.empty() ? "" : fmt::format("{}", written_bytes(part)), memory});
    }
    std::string text = table.empty() ? "" : table.plain();
    if (!studied.result.complete)
        text += "roles are those of unpoisoned memory where replays over poison crashed\n";
    return text;
}

std::string counters_text(const std::vector<CountedKernel>& counted) {
    std::vector<TableColumn> columns{{"counter", Align::left}};
    std::vector<std::string> metrics;
    for (const CountedKernel& one : counted) {
        columns.push_back({one.name.empty() ? "original" : one.name});
        for (const std::string& metric : one.metrics)
            if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
    }
    TextTable table(columns);
    for (const std::string& metric : metrics) {
        std::vector<std::string> row{metric};
        for (const CountedKernel& one : counted) {
            const auto found = std::ranges::find(one.metrics, metric);
            const auto at = static_cast<std::size_t>(found - one.metrics.begin());
            row.push_back(found == one.metrics.end() || at >= one.values.size()
                              ? "-"
                              : fmt::format("{:.7g}", one.values[at]));
        }
        table.add(row);
    }
    return table.plain();
}

std::string times_text(const Capture& capture, const Studied& studied, const WorkerResult& timed,
                       const std::optional<double>& copy) {
    TextTable table({{"kernel", Align::left},
                     {"warm"},
                     {"IQR"},
                     {"original/it"},
                     {"L2 flushed"},
                     {"IQR"},
                     {"original/it"}});
    const auto summary = [&](std::size_t index) {
        return summarize(timed.samples.at(index).ns, 1);
    };
    const SampleStatistics warm = summary(0);
    const SampleStatistics cold = summary(1);
    const auto iqr = [](const SampleStatistics& s) { return percent(s.iqr / s.median); };
    for (std::size_t k = 0; k + 1 < timed.samples.size(); k += 2) {
        const SampleStatistics own_warm = summary(k);
        const SampleStatistics own_cold = summary(k + 1);
        const std::string& name = timed.samples[k].name;
        table.add({name.empty() ? "original" : name, duration(own_warm.median), iqr(own_warm),
                   fmt::format("{:.2f}x", warm.median / own_warm.median), duration(own_cold.median),
                   iqr(own_cold), fmt::format("{:.2f}x", cold.median / own_cold.median)});
    }
    std::string text = table.plain() + bandwidth_text(studied, cold.median, copy);
    const std::optional<ProgramTimes>& program = capture.file.times;
    if (program && studied.index == 0 && timed.timed_by_cupti)
        text += program_text(*program, warm.median, cold.median);
    return text;
}

}  // namespace camber
