#include "harness/cli/capture/capture_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "harness/base/statistics.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/machine/binary/code_identity.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

using capture::Role;

constexpr int longest_side = 0x7fffffff;
constexpr std::uint64_t statistics_seed = 1;

// Name of the function alone: "avg_pool2d" of "void at::native::avg_pool2d<float>(float const*)".
std::string function_of(const std::string& symbol) {
    std::string name = binary::readable_name(symbol);
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (auto at = name.find(unnamed); at != name.npos; at = name.find(unnamed, at))
        name.erase(at, unnamed.size());
    name = name.substr(0, name.find_first_of("(<"));
    if (const std::size_t start = name.find_last_of(" :"); start != name.npos)
        name.erase(0, start + 1);
    std::ranges::replace(name, '/', '_');
    return name;
}

// Threads of a launch, as a board: rows are those of the second and third dimension.
Size threads_of(const capture::CapturedLaunch& launch) {
    const auto threads = [&](std::size_t k) {
        return std::uint64_t{launch.grid[k]} * launch.block[k];
    };
    const auto side = [](std::uint64_t count) {
        return static_cast<int>(std::min<std::uint64_t>(count, longest_side));
    };
    return {side(threads(0)), side(threads(1) * threads(2))};
}

Size folded(const capture::Dimensions& d) {
    return {static_cast<int>(d[0]), static_cast<int>(d[1] * d[2])};
}

// The first byte that differs, as a cell in the only row of a buffer.
DifferingCell first_difference(const capture::Difference& difference) {
    const auto byte = [&](const std::string& digits) {
        capture::ByteVector bytes;
        capture::from_hexadecimal(digits, bytes);
        const std::size_t at = difference.first_offset % sizeof(std::uint64_t);
        return CellValue(std::int64_t{at < bytes.size() ? bytes[at] : 0});
    };
    return {fmt::format("buffer {}", difference.first_buffer), 0,
            static_cast<std::int64_t>(difference.first_offset), byte(difference.expected),
            byte(difference.actual)};
}

results::Samples samples_of(const std::vector<double>& ns) {
    results::Samples samples;
    samples.ns = ns;
    samples.statistics = summarize(ns, statistics_seed);
    samples.stopped_by = "sample limit";
    samples.visits = {{0, 0, static_cast<std::int64_t>(ns.size()), samples.stopped_by}};
    return samples;
}

}  // namespace

CaptureCase new_case(const capture::Capture& capture, std::size_t launch, const std::string& name) {
    const capture::CapturedLaunch& captured = capture.file.launches[launch];
    CaptureCase one;
    one.name = name;
    one.grid = captured.grid;
    one.block = captured.block;
    for (const capture::Buffer& buffer : captured.buffers) one.compared_bytes += buffer.bytes;
    return one;
}

std::uint64_t moved_bytes(const std::vector<capture::Part>& parts) {
    std::uint64_t bytes = 0;
    for (const capture::Part& part : parts) {
        const std::uint64_t whole = part.end - part.begin;
        std::uint64_t written = 0;
        for (const auto& [begin, count] : part.written) written += count;
        if (part.role == Role::input) bytes += whole;
        if (part.role == Role::output) bytes += written;
        if (part.role == Role::in_place) bytes += 2 * whole;
    }
    return bytes;
}

std::optional<CardCeilings> ceilings_of_device(const std::string& device,
                                               const std::string& ceilings) {
    std::string card = ceilings;
    for (const std::string& name : card_names()) {
        std::string upper = name;
        std::ranges::transform(upper, upper.begin(),
                               [](unsigned char c) { return std::toupper(c); });
        if (card.empty() && device.find(upper) != device.npos) card = name;
    }
    if (card.empty()) return std::nullopt;
    const results::Document document = read_ceilings(card);
    if (document.ceilings) return CardCeilings{card, *document.ceilings};
    if (document.run() == nullptr) return std::nullopt;
    return CardCeilings{card, document.run()->ceilings};
}

std::optional<double> copy_bandwidth(const std::string& device, const std::string& ceilings) {
    const auto found = ceilings_of_device(device, ceilings);
    return found ? found->ceilings.dram_copy() : std::nullopt;
}

void add_cases(results::Document& document, const capture::Capture& capture, std::size_t launch,
               const capture::WorkerResult& study, int device,
               const std::vector<CaptureCase>& cases) {
    const capture::CapturedLaunch& captured = capture.file.launches.at(launch);
    const std::string workload = function_of(capture.file.kernel);
    const Size size = threads_of(captured);
    const auto cells = static_cast<double>(size.cells());
    const results::Work work{cells, static_cast<double>(moved_bytes(study.parts)) / cells, {}};
    for (const CaptureCase& one : cases)
        for (const bool flushed : {false, true}) {
            const std::vector<double>& ns = flushed ? one.flushed_ns : one.warm_ns;
            if (flushed && ns.empty()) continue;
            results::CaseRecord record;
            results::Identity& identity = record.identity;
            identity.workload = workload;
            identity.technique = one.name;
            identity.variant = fmt::format("{}/{}", workload, one.name);
            identity.parameters = {{"launch", static_cast<std::int64_t>(captured.number)}};
            identity.size = size;
            identity.cell = "uint8";
            identity.generations = 1;
            identity.backend = Backend::cuda;
            identity.device = device;
            identity.boundary = Boundary::dead;
            identity.cache = flushed ? CacheState::cold : CacheState::hot;
            identity.submission = Submission::stream;
            record.name =
                fmt::format("{}/launch{}/{}x{}/uint8/cuda{}", identity.variant, captured.number,
                            size.columns, size.rows, flushed ? "/cold" : "");
            record.status = one.passed ? results::Status::ok : results::Status::failed;
            record.reason = one.reason;
            Verification& verification = record.verification.emplace();
            verification.status =
                one.passed ? Verification::Status::passed : Verification::Status::failed;
            verification.method = Verification::Method::cells;
            verification.compared_cells = static_cast<std::int64_t>(one.compared_bytes);
            verification.generations = 1;
            if (one.difference) {
                verification.differing_cells = static_cast<std::int64_t>(one.difference->bytes);
                if (one.difference->bytes > 0)
                    verification.first_difference = first_difference(*one.difference);
            }
            if (one.passed)
                record.final = FinalState{"population", static_cast<double>(study.nonzero_bytes),
                                          study.checksum};
            results::Kernel& kernel = record.kernels.emplace_back();
            kernel.name = one.name;
            kernel.block = folded(one.block);
            kernel.grid = folded(one.grid);
            if (!flushed) record.counters = one.counters;
            if (!ns.empty()) {
                record.samples = samples_of(ns);
                record.iterations = static_cast<std::int64_t>(ns.size());
                record.real_time_ns = record.samples->statistics.median;
                constexpr double ns_per_second = 1e9;
                record.derived = derive(work, record.real_time_ns / ns_per_second, {});
            }
            document.cases.push_back(std::move(record));
        }
}

results::Context capture_context(const std::vector<std::string>& command_line,
                                 const capture::WorkerResult& study, int device) {
    results::Context context = run_context(command_line, nullptr, {});
    results::Gpu& gpu = context.run->gpu.emplace();
    gpu.name = study.device;
    gpu.index = device;
    gpu.compute_capability =
        fmt::format("{}.{}", study.compute_capability / 10, study.compute_capability % 10);
    gpu.sm_count = static_cast<int>(study.multiprocessors);
    gpu.l2_bytes = study.l2_bytes;
    return context;
}

}  // namespace camber
