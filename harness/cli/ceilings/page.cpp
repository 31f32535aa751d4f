#include "harness/cli/ceilings/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "harness/base/text/table.hpp"

namespace camber {

namespace {

struct Row {
    const char* what;
    std::optional<double> value;
    double unit;  // divisor of the value
    const char* unit_name;
    std::string meaning;
};

std::optional<double> last_of(const CeilingCurve& curve) {
    if (curve.empty()) return std::nullopt;
    return curve.back().bytes_per_second;
}

std::vector<Row> rows_of(const Ceilings& ceilings) {
    const auto over = [](const CeilingCurve& curve) {
        return curve.empty()
                   ? ""
                   : fmt::format(
                         "working set {}B, read + written",
                         short_size(static_cast<std::size_t>(curve.back().working_set_bytes)));
    };
    constexpr double G = 1e9;
    constexpr double T = 1e12;
    constexpr double ns = 1e-9;
    constexpr const char* chain = "pointer chase: each load yields the next address";
    constexpr const char* on_each_sm =
        "256 threads per block, one or four blocks per SM, 8 bytes per thread";
    constexpr const char* last = "one load from 8 scattered addresses, until the last arrives";
    constexpr const char* first = "first read of words written by other SMs";
    constexpr const char* row = "one warp load of 512 contiguous bytes";
    return {
        {"DRAM copy", ceilings.dram_copy(), G, "GB/s", over(ceilings.copy)},
        {"DRAM read", ceilings.dram_read(), G, "GB/s", over(ceilings.read)},
        {"DRAM write", ceilings.dram_write(), G, "GB/s", over(ceilings.write)},
        {"DRAM triad", last_of(ceilings.triad), G, "GB/s", over(ceilings.triad)},
        {"DRAM copy, descending", ceilings.descending_bytes_per_second, G, "GB/s",
         "blocks that walk down 128 rows each"},
        {"DRAM read, 1 block", ceilings.reads_by_1_block_bytes_per_second, G, "GB/s", on_each_sm},
        {"DRAM read, 4 blocks", ceilings.reads_by_4_blocks_bytes_per_second, G, "GB/s", on_each_sm},
        {"DRAM copy, 1 block", ceilings.copies_by_1_block_bytes_per_second, G, "GB/s", on_each_sm},
        {"DRAM copy, 4 blocks", ceilings.copies_by_4_blocks_bytes_per_second, G, "GB/s",
         on_each_sm},
        {"in 32 pieces", ceilings.copies_in_32_pieces_bytes_per_second, G, "GB/s",
         "as above, in 32 pieces of 64 bytes instead of 8 of 256"},
        {"L2", ceilings.l2_bytes_per_second, G, "GB/s",
         "best of the four curves; working set 1/8 to 1/2 of L2"},
        {"L1", ceilings.l1_bytes_per_second, G, "GB/s", "loads of 16 bytes, all SMs"},
        {"shared memory", ceilings.shared_bytes_per_second, G, "GB/s",
         "loads of 16 bytes, all SMs"},
        {"FP32", ceilings.fp32_flops_per_second, T, "Tflop/s", "an FMA counts two"},
        {"FP64", ceilings.fp64_flops_per_second, T, "Tflop/s", "an FMA counts two"},
        {"INT32 add", ceilings.int32_adds_per_second, T, "Top/s", ""},
        {"LOP3", ceilings.lop3_operations_per_second, T, "Top/s", "three-input 32-bit logic"},
        {"launch", ceilings.launch_seconds, 1e-6, "us", "per empty kernel, back to back"},
        {"graph node", ceilings.graph_node_seconds, 1e-6, "us",
         "per empty kernel in a graph of 1000 consecutive kernels"},
        {"gap in a stream", ceilings.stream_gap_seconds, 1e-6, "us",
         "overhead of kernel start and end"},
        {"latency, shared", ceilings.shared_latency_seconds, ns, "ns", chain},
        {"latency, L1", ceilings.l1_latency_seconds, ns, "ns", chain},
        {"latency, L2", ceilings.l2_latency_seconds, ns, "ns", chain},
        {"latency, DRAM", ceilings.dram_latency_seconds, ns, "ns", chain},
        {"last of 8, L2", ceilings.l2_last_of_8_seconds, ns, "ns", last},
        {"last of 8, DRAM", ceilings.dram_last_of_8_seconds, ns, "ns", last},
        {"first latency, L2", ceilings.l2_first_latency_seconds, ns, "ns", first},
        {"first of 8, L2", ceilings.l2_first_last_of_8_seconds, ns, "ns",
         "first read of 8 scattered words, until the last arrives"},
        {"latency, row of L2", ceilings.l2_row_latency_seconds, ns, "ns", row},
        {"latency, row of DRAM", ceilings.dram_row_latency_seconds, ns, "ns", row},
        {"latency, arithmetic", ceilings.arithmetic_latency_seconds, ns, "ns",
         "dependent multiply-add"},
        {"barrier of a cluster", ceilings.cluster_barrier_seconds, ns, "ns",
         "cluster of two blocks of 256 threads, fence included"},
        {"latency, distributed", ceilings.distributed_latency_seconds, ns, "ns",
         "shared memory of another block of the cluster"},
        {"block turnover", ceilings.block_turnover_seconds, ns, "ns",
         "until a freed block slot runs a new block of 256 threads"},
        {"L1 requests", ceilings.l1_requests_per_second, G, "G/s",
         "warp requests for one 128-byte line each"},
        {"L2 loads", ceilings.l2_requests_per_second, G, "G/s",
         "requests for one sector each, all in different lines"},
        {"L2 stores", ceilings.l2_stores_per_second, G, "G/s",
         "requests for one sector each, all in different lines"},
        {"loads of constants", ceilings.constant_loads_per_second, G, "G/s",
         "warp loads of one address"},
        {"texels, board", ceilings.texels_per_second, G, "G/s", "from a two-dimensional texture"},
        {"texels, line", ceilings.linear_texels_per_second, G, "G/s", "from a linear texture"},
        {"atomics, shared", ceilings.shared_atomics_per_second, G, "G/s",
         "lane additions, each in a different bank"},
        {"atomics, global", ceilings.global_atomics_per_second, G, "G/s",
         "lane additions in L2 to adjacent words"},
    };
}

PlotCurve plotted(char mark, const char* name, const CeilingCurve& points) {
    PlotCurve curve{mark, name, {}};
    for (const CeilingCurvePoint& point : points)
        curve.points.push_back(
            {static_cast<std::size_t>(point.working_set_bytes), point.bytes_per_second * 1e-12});
    return curve;
}

std::string plot(const Ceilings& ceilings, const DeviceInfo& device) {
    std::vector<PlotCurve> curves{
        plotted('c', "copy", ceilings.copy), plotted('r', "read", ceilings.read),
        plotted('w', "write", ceilings.write), plotted('t', "triad", ceilings.triad)};
    std::erase_if(curves, [](const PlotCurve& curve) { return curve.points.empty(); });
    if (curves.empty()) return "";
    return fmt::format("\nBandwidth over working set (L2: {:.0f} MiB)\n\n{}",
                       static_cast<double>(device.l2_bytes) / (1 << 20),
                       text_plot(curves, {.unit = "TB/s"}));
}

}  // namespace

CeilingRows ceiling_rows(const Ceilings& ceilings) {
    const std::vector<Row> rows = rows_of(ceilings);
    const auto measured =
        std::ranges::count_if(rows, [](const Row& row) { return row.value.has_value(); });
    return {measured, static_cast<std::int64_t>(rows.size())};
}

std::string ceilings_page(const Ceilings& ceilings, const DeviceInfo& device) {
    std::string page =
        fmt::format("Measured ceilings of device {}, {} (compute capability {}.{}, {} SMs)\n\n",
                    device.index, device.name, device.major, device.minor, device.sm_count);
    TextTable table({{"", Align::left, 20},
                     {"", Align::right, 10, 1},
                     {"", Align::left, 8, 1},
                     {"", Align::left, 0, 1}},
                    2);
    for (const Row& row : rows_of(ceilings))
        if (row.value)
            table.add({row.what, fmt::format("{:.2f}", *row.value / row.unit), row.unit_name,
                       row.meaning});
    return page + table.plain() + plot(ceilings, device);
}

namespace {

bool can_be_placed(const PlotPoint& point) {
    return point.bytes > 0 && std::isfinite(point.value) && point.value >= 0;
}

// Returns the smallest round number, among those whose quarters have few digits, that is not less
// than `value`.
double axis_end(double value) {
    if (value <= 0) return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 5.0, 6.0, 8.0})
        if (value <= factor * power) return factor * power;
    return 10 * power;
}

struct Range {
    // Range of sizes, as binary logarithms.
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    double value = 0;  // maximum
    bool empty() const { return highest < lowest; }
};

Range range_of(const std::vector<PlotCurve>& curves) {
    Range range;
    for (const PlotCurve& curve : curves)
        for (const PlotPoint& point : curve.points) {
            if (!can_be_placed(point)) continue;
            const double position = std::log2(static_cast<double>(point.bytes));
            range.lowest = std::min(range.lowest, position);
            range.highest = std::max(range.highest, position);
            range.value = std::max(range.value, point.value);
        }
    return range;
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

class Drawing {
  public:
    Drawing(const PlotFrame& frame, const Range& range)
        : frame_(frame),
          columns_(std::max(frame.columns, 1)),
          rows_(std::max(frame.rows, 2)),
          range_(range),
          top_(axis_end(range.value)),
          canvas_(static_cast<std::size_t>(rows_), std::string(width(), ' ')),
          axis_(width(), '-'),
          labels_(width(), ' ') {}

    void add(char mark, const PlotPoint& point) {
        const auto column = column_of(point.bytes);
        const auto row = std::lround(point.value / top_ * (rows_ - 1));
        char& place = canvas_[static_cast<std::size_t>(rows_ - 1 - row)][column];
        place = place == ' ' || place == mark ? mark : '*';
    }

    // Adds a label unless it would touch the previous one.
    void add_label(std::size_t bytes) {
        const std::string text = short_size(bytes);
        const std::size_t column = column_of(bytes);
        if (column < next_label_) return;
        axis_[column] = '+';
        labels_.resize(std::max(labels_.size(), column + text.size()), ' ');
        labels_.replace(column, text.size(), text);
        next_label_ = column + text.size() + 1;
    }

    std::string text() const {
        std::string text = frame_.unit + "\n";
        for (int row = 0; row < rows_; ++row) {
            const int from_bottom = rows_ - 1 - row;
            const std::string label = has_label(from_bottom)
                                          ? fmt::format("{:.4g}", top_ * from_bottom / (rows_ - 1))
                                          : std::string();
            text += without_trailing_blanks(
                        fmt::format("{:>7} |{}", label, canvas_[static_cast<std::size_t>(row)])) +
                    "\n";
        }
        text += fmt::format("{:>7} +{}\n", "", axis_);
        return text + without_trailing_blanks(fmt::format("{:>7}  {}", "", labels_)) + "\n";
    }

  private:
    std::size_t width() const { return static_cast<std::size_t>(columns_); }

    std::size_t column_of(std::size_t bytes) const {
        const double span = range_.highest - range_.lowest;
        if (span <= 0) return 0;
        const double share = (std::log2(static_cast<double>(bytes)) - range_.lowest) / span;
        return static_cast<std::size_t>(std::lround(share * (columns_ - 1)));
    }

    // Labels are at the quarters if the number of rows permits, otherwise at both ends.
    bool has_label(int from_bottom) const {
        const int last = rows_ - 1;
        return last % 4 == 0 ? from_bottom % (last / 4) == 0
                             : from_bottom == 0 || from_bottom == last;
    }

    const PlotFrame& frame_;
    int columns_;
    int rows_;
    Range range_;
    double top_;
    std::vector<std::string> canvas_;
    std::string axis_;
    std::string labels_;
    std::size_t next_label_ = 0;
};

}  // namespace

std::string short_size(std::size_t bytes) {
    constexpr std::string_view units = "BKMGTP";
    auto size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
    return fmt::format("{:.4g}{}", size, units[unit]);
}

std::string text_plot(const std::vector<PlotCurve>& curves, const PlotFrame& frame) {
    const Range range = range_of(curves);
    if (range.empty()) return "";
    Drawing drawing(frame, range);
    std::vector<std::size_t> sizes;
    std::string legend;
    for (const PlotCurve& curve : curves) {
        for (const PlotPoint& point : curve.points) {
            if (!can_be_placed(point)) continue;
            drawing.add(curve.mark, point);
            sizes.push_back(point.bytes);
        }
        legend += fmt::format("{}{} {}", legend.empty() ? "" : "   ", curve.mark, curve.name);
    }
    std::ranges::sort(sizes);
    for (const std::size_t bytes : sizes) drawing.add_label(bytes);
    if (curves.size() > 1) legend += "   * several";
    return drawing.text() + fmt::format("{:>7}  {}\n", "", legend);
}

}  // namespace camber
