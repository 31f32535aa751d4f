#include "analysis/published/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/record/archive.hpp"
#include "harness/record/fields.hpp"

namespace camber::results {

// The keys of published tables (results/schema/camber-published.schema.json).
template <>
struct Names<published::SeriesOf> {
    using E = published::SeriesOf;
    static constexpr std::array all{E::table, E::rows, E::columns};
    static std::string_view text(E of) {
        return of == E::rows ? "rows" : of == E::columns ? "columns" : "table";
    }
};

}  // namespace camber::results

namespace camber::published {

using results::FormError;
using results::Json;
using results::Reader;

namespace {

// Values of the field "camber.kind". Without it, the kind follows from other fields.
constexpr std::pair<std::string_view, Kind> kinds[] = {
    {"times", Kind::times},   {"time_saved", Kind::saved},  {"speedups", Kind::speedups},
    {"counts", Kind::counts}, {"order", Kind::order},       {"shares", Kind::shares},
    {"absent", Kind::absent}, {"machines", Kind::machines}, {"figures", Kind::figures},
};

Place place(Reader& a, const char* key) {
    std::pair<std::string, std::string> names;
    a(key, names);
    return {names.first, names.second};
}

SeriesClaim series_claim(Reader& a, SeriesClaim::Of of) {
    SeriesClaim claim{of, "", 0};
    a("series", claim.series);
    a("value", claim.value);
    return claim;
}

Kind kind_of(const Json* camber, bool scaling) {
    std::string kind;
    if (camber) Reader(*camber).usual("kind", kind);
    for (const auto& [name, meant] : kinds)
        if (name == kind && meant != Kind::absent) return meant;
    return scaling ? Kind::scaling : kind == "absent" ? Kind::absent : Kind::printed;
}

void require_one_per_column(const Table& table, const Row& row, std::size_t count,
                            const char* what) {
    if (count != table.columns.size())
        throw FormError("", fmt::format("row '{}' has {} {} for {} columns", row.name, count, what,
                                        table.columns.size()));
}

}  // namespace

void read(const Json& json, std::optional<Entry>& value) {
    value.reset();
    if (json.is_null()) return;
    Entry& entry = value.emplace();
    if (json.is_string()) {
        entry.printed = json.get<std::string>();
        entry.reading = plain_number(entry.printed);
        return;
    }
    Reader a(json);
    a("printed", entry.printed);
    a.null("reading", entry.reading);
    a.usual("bound", entry.bound);
    a.usual("note", entry.note);
}

void fields(Reader& a, ColumnHere& here) {
    a.usual("variant", here.variant);
    a.usual("cell", here.cell);
    a.usual("series", here.series);
    a.usual("kernel", here.kernel);
    a.usual("kernels", here.kernels);
    a.usual("size", here.size);
    a.usual("ground", here.ground);
}

void fields(Reader& a, RowHere& here) {
    a.usual("variant", here.variant);
    if (const Json* variants = a.find("variants"))
        for (const Json& variant : *variants)
            here.variants.push_back(variant.is_null() ? "" : variant.get<std::string>());
    a.usual("baseline", here.baseline);
    a.usual("series", here.series);
    a.usual("size", here.size);
    a.usual("refine", here.refine);
    a.usual("generations", here.generations);
    a.usual("gpus", here.gpus);
    a.may("kernel", here.kernel);
    a.usual("repeats", here.repeats);
    a.usual("divide_by", here.divide_by);
}

void fields(Reader& a, LargerProblem& larger) {
    a("size", larger.size);
    a("parameters", larger.parameters);
}

void fields(Reader& a, TableHere& here) {
    a("workload", here.workload);
    a.usual("size", here.size);
    a.usual("column", here.column);
    std::string better;
    a.usual("better", better);
    here.lower_is_better = better != "higher";
    a.usual("baseline", here.baseline);
    a.usual("series", here.series_of);
    a.usual("cell", here.cell);
    a.usual("arch", here.arch);
    a.usual("cpu", here.cpu);
    a.usual("cpu_program", here.cpu_program);
    a.may("cpu_reading", here.cpu_reading);
    a.usual("nothing", here.nothing);
    a.usual("source_card", here.source_card);
    a.usual("source_size", here.source_size);
    a.usual("printed_iterations", here.printed_iterations);
    if (const Json* run = a.find("run")) {
        Reader how(*run);
        how.usual("generations", here.generations);
        how.usual("from_start", here.from_start);
        how.usual("states", here.states);
        how.usual("reference_generations", here.reference_generations);
        how.usual("whole", here.whole);
        how.may("density", here.density);
        how.usual("parameters", here.parameters);
        how.usual("variants", here.variants);
        how.usual("one_place", here.one_gpu);
        how.usual("exchange", here.exchange);
        how.usual("graph", here.graph);
        how.usual("larger", here.larger);
        how.usual("refine", here.refine);
    }
}

void fields(Reader& a, Column& column) {
    a("name", column.name);
    a.usual("unit", column.unit);
    a.usual("count", column.count);
    a.usual("figure", column.figure);
    a.usual("camber", column.here);
}

void fields(Reader& a, Row& row) {
    a("name", row.name);
    a.usual("unit", row.unit);
    a("values", row.values);
    a.may("camber", row.here);
}

void fields(Reader& a, ScalingRows& rows) {
    a("name", rows.name);
    a.usual("times", rows.times);
    a.usual("rates", rows.rates);
    a.usual("first_from", rows.first_from);
    a.usual("ideal", rows.ideal);
    a.usual("ideal_rate", rows.ideal_rate);
    a.usual("cost", rows.cost);
    a.usual("karp_flatt", rows.karp_flatt);
    a.usual("balance", rows.balance);
}

void fields(Reader& a, ScalingTable& scaling) {
    a("unit", scaling.unit);
    a.may("assumed_relative_error", scaling.assumed_relative_error);
    a.usual("series", scaling.series);
}

void fields(Reader& a, Statement& statement) {
    a("text", statement.text);
    a("faster", statement.faster);
    a("than", statement.than);
    a.usual("cell", statement.cell);
    a.usual("than_cell", statement.than_cell);
    a.usual("source_card", statement.source_card);
    a.usual("size", statement.size);
    a.usual("parameters", statement.parameters);
    a.usual("than_parameters", statement.than_parameters);
    a.usual("printed", statement.printed);
}

void fields(Reader& a, Work& work) {
    a("id", work.id);
    a("what", work.what);
    a.usual("size", work.size);
    a.usual("ground", work.ground);
    a.usual("steady", work.steady);
    a.usual("steps", work.steps);
    a.usual("seconds", work.seconds);
    a.usual("active", work.active);
}

void fields(Reader& a, Claim& claim) {
    using Of = SeriesClaim::Of;
    std::string kind;
    a("kind", kind);
    a.usual("printed", claim.printed);
    if (kind == "serial_share") {
        claim.what = series_claim(a, Of::serial_share);
    } else if (kind == "overhead") {
        claim.what = series_claim(a, Of::overhead);
    } else if (kind == "d_max") {
        claim.what = series_claim(a, Of::d_max);
    } else if (kind == "cost_increment") {
        claim.what = series_claim(a, Of::cost_increment);
    } else if (kind == "change") {
        auto& change = claim.what.emplace<ChangeClaim>();
        const Place rows = place(a, "rows");
        change.before = rows.table;
        change.after = rows.name;
        a("p", change.p);
        a.any_sign()("low", change.low);
        a.any_sign()("high", change.high);
    } else if (kind == "gain_of_previous") {
        a("p", claim.what.emplace<GainClaim>().p);
    } else if (kind == "quotients") {
        auto& quotients = claim.what.emplace<QuotientsClaim>();
        a("row", quotients.row);
        quotients.of = place(a, "of");
        a("over", quotients.over);
        a("times", quotients.times);
    } else if (kind == "karp_flatt") {
        auto& karp_flatt = claim.what.emplace<KarpFlattClaim>();
        a("row", karp_flatt.row);
        karp_flatt.times = place(a, "times");
        karp_flatt.rates = place(a, "rates");
    } else if (kind == "amdahl") {
        auto& amdahl = claim.what.emplace<AmdahlClaim>();
        a("row", amdahl.row);
        a("value", amdahl.serial_share);
    } else {
        throw FormError("/kind", fmt::format("'{}' is no kind of claim", kind));
    }
}

void fields(Reader& a, Table& table) {
    a("id", table.id);
    a("title", table.title);
    a("place", table.place);
    a("hardware", table.hardware);
    a("conditions", table.conditions);
    a("columns", table.columns);
    a("rows", table.rows);
    for (const Row& row : table.rows) {
        require_one_per_column(table, row, row.values.size(), "values");
        if (row.here && !row.here->variants.empty())
            require_one_per_column(table, row, row.here->variants.size(), "variants");
    }
    a.usual("notes", table.notes);
    a.usual("camber", table.here);
    a.may("scaling", table.scaling);
    a.usual("claims", table.claims);
    a.usual("conclusions", table.conclusions);
    table.kind = kind_of(a.find("camber"), table.scaling.has_value());
}

namespace {

// Resolves the names of the table's works.
void add_works(Table& table, const Json& json, const std::vector<Work>& works) {
    std::vector<std::string> ids;
    Reader(json).usual("works", ids);
    for (const std::string& id : ids) {
        const auto found = std::ranges::find(works, id, &Work::id);
        if (found == works.end())
            throw FormError("/works", fmt::format("the file has no work '{}'", id));
        table.works.push_back(*found);
    }
}

}  // namespace

std::vector<Table> parse_tables(std::string_view text, const std::string& origin) {
    std::string place = "the start";
    const auto refuse = [&](const std::string& why) {
        return Error(ExitCode::usage,
                     fmt::format("{}, {}: no published tables: {}", origin, place, why));
    };
    try {
        const Json json = results::parse_json(text);
        std::string source;
        Reader(json.at("source"))("key", source);
        std::vector<Work> works;
        Reader(json).usual("works", works);
        std::vector<Table> tables;
        for (const Json& one : json.at("tables")) {
            place = one.value("id", "a table without id");
            results::read(one, tables.emplace_back());
            tables.back().source = source;
            add_works(tables.back(), one, works);
        }
        return tables;
    } catch (const FormError& error) {
        throw refuse(error.place() + ": " + error.what());
    } catch (const results::SyntaxError& error) {
        throw refuse(error.what());
    } catch (const Json::exception& error) {
        throw refuse(error.what());
    }
}

const Row* Table::row(std::string_view name) const {
    const auto found = std::ranges::find(rows, name, &Row::name);
    return found == rows.end() ? nullptr : &*found;
}

std::size_t Table::column(std::string_view name) const {
    const auto found = std::ranges::find(columns, name, &Column::name);
    if (found == columns.end())
        throw Error(ExitCode::usage, fmt::format("table {} has no column '{}'", id, name));
    return static_cast<std::size_t>(found - columns.begin());
}

std::optional<double> plain_number(std::string_view printed) {
    static const std::regex form(R"((\d{1,3}(,\d{3})+|\d+)(\.\d+)?)");
    std::string text(printed);
    if (!std::regex_match(text, form)) return std::nullopt;
    std::erase(text, ',');
    return std::stod(text);
}

const std::vector<Table>& tables() {
    static const std::vector<Table> all = [] {
        std::vector<Table> all;
        for (const auto& [name, text] : embedded_files())
            for (Table& table : parse_tables(text, std::string(name))) {
                table.file = name.substr(0, name.rfind('.'));
                all.push_back(std::move(table));
            }
        return all;
    }();
    return all;
}

std::vector<const Table*> tables_of_file(const std::vector<Table>& among, std::string_view file) {
    std::vector<const Table*> found;
    for (const Table& table : among)
        if (table.file == file) found.push_back(&table);
    return found;
}

const Table& find_table(const std::vector<Table>& among, std::string_view id) {
    const auto found = std::ranges::find(among, id, &Table::id);
    if (found != among.end()) return *found;
    std::vector<std::string> ids;
    for (const Table& table : among)
        for (const std::string& known : {table.id, table.file})
            if (!known.empty() && std::ranges::find(ids, known) == ids.end()) ids.push_back(known);
    throw Error(ExitCode::usage, fmt::format("table '{}' is unknown{}; camber reproduce lists all",
                                             id, suggestion(id, ids)));
}

}  // namespace camber::published
