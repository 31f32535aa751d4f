#include "harness/cli/history/store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/text.hpp"
#include "harness/record/archive.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using history::Commit;
using history::Machine;
using results::Json;

constexpr int schema_version = 1;
constexpr const char* version_file = "camber-history.json";
constexpr std::string_view entry_ending = ".json.gz";

// ---- compression

constexpr int gzip_format = 15 + 16;  // window bits, plus 16 for a gzip header

std::string gzipped(std::string_view text) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_format, 9, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        throw std::bad_alloc();
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);  // the buffer suffices for one call
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

[[noreturn]] void damaged(const fs::path& file, std::string_view problem) {
    throw Error(
        ExitCode::usage,
        fmt::format("the history's file \"{}\" {}: restore it from a copy, or remove it and "
                    "add its results again",
                    file.string(), problem));
}

// Expands gzip data, up to and including the first line feed if `first_line`.
std::string expanded(const fs::path& file, const std::string& data, bool first_line) {
    constexpr std::size_t most = std::size_t{1} << 30;
    z_stream stream{};
    if (inflateInit2(&stream, gzip_format) != Z_OK) throw std::bad_alloc();
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    std::string text;
    std::string buffer(first_line ? 4096 : 1 << 18, '\0');
    int state = Z_OK;
    while (state == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        state = inflate(&stream, Z_NO_FLUSH);
        text.append(buffer, 0, buffer.size() - stream.avail_out);
        if (first_line && text.find('\n') != std::string::npos)
            return text.substr(0, text.find('\n'));
        if (text.size() > most) damaged(file, "expands to more than 1 GiB");
        // Without more input, inflate() reports an error only if it makes no progress.
        if (state == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) break;
    }
    if (state != Z_STREAM_END) damaged(file, "is damaged or cut off");
    return text;
}

// ---- entries

std::string read_entry(const fs::path& file, bool first_line) {
    return expanded(file, read_file(file, "history file", "a history"), first_line);
}

std::string header_of(const HistoryEntry& entry) {
    const Commit& commit = entry.commit;
    Json json{{"schema_version", schema_version},
              {"commit",
               {{"hash", commit.hash},
                {"dirty", commit.dirty},
                {"time", history::utc_text(commit.time)},
                {"time_of", commit.time_of},
                {"subject", commit.subject}}},
              {"machine", {{"name", entry.machine.name}, {"hardware", entry.machine.hardware}}},
              {"added", entry.added},
              {"source", entry.source}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

HistoryEntry entry_from(const Json& json) {
    HistoryEntry entry;
    results::Reader whole(json);
    const results::Reader commit(*whole.require("commit"));
    const results::Reader machine(*whole.require("machine"));
    results::read(*commit.require("hash"), entry.commit.hash);
    results::read(*commit.require("dirty"), entry.commit.dirty);
    results::read(*commit.require("time_of"), entry.commit.time_of);
    results::read(*commit.require("subject"), entry.commit.subject);
    std::string time;
    results::read(*commit.require("time"), time);
    const auto seconds = history::seconds_of(time);
    if (!seconds) throw results::FormError("/commit/time", "\"" + time + "\" is no time");
    entry.commit.time = *seconds;
    results::read(*machine.require("name"), entry.machine.name);
    results::read(*machine.require("hardware"), entry.machine.hardware);
    results::read(*whole.require("added"), entry.added);
    results::read(*whole.require("source"), entry.source);
    return entry;
}

void require_version(const Json& json, const fs::path& file) {
    const auto version = json.is_object() ? json.find("schema_version") : json.end();
    if (!json.is_object() || version == json.end() || !version->is_number_integer())
        damaged(file, "does not state its schema_version");
    if (*version != schema_version)
        throw Error(ExitCode::usage,
                    fmt::format("the history \"{}\" has schema version {}, and this camber reads "
                                "version {}: use the camber that wrote it, or start another folder",
                                file.string(), version->dump(), schema_version));
}

HistoryEntry read_header(const fs::path& file) {
    try {
        const Json json = results::parse_json(read_entry(file, true));
        require_version(json, file);
        HistoryEntry entry = entry_from(json);
        entry.file = file;
        return entry;
    } catch (const results::SyntaxError&) {
        damaged(file, "does not begin with a line of JSON");
    } catch (const results::FormError& error) {
        damaged(file,
                fmt::format("lacks what an entry has{}{}: {}", error.place().empty() ? "" : " at ",
                            error.place(), error.what()));
    }
}

// FNV-1a: names of files must not depend on the standard library's hash function.
std::uint64_t digest(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

// True if the folder does not exist or contains only files that another process is writing.
bool has_no_files(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().filename().string().find(unfinished_suffix) == std::string::npos)
            return false;
    return true;
}

void write_new(const fs::path& path, std::string_view text, const std::string& kind) {
    NewFile file(path, kind);
    std::ofstream stream(file.path(), std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) file.fail(errno);
    file.finish();
}

void create_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot create the folder \"{}\" of the history: {}; choose "
                                "another path",
                                folder.string(), error.message()));
}

}  // namespace

Machine machine_of(const results::Document& document) {
    const results::Run* run = document.run();
    if (!document.models.empty()) {
        std::set<std::string> arches;
        for (const results::ModelEntry& model : document.models)
            if (model.reason.empty()) arches.insert(model.model.arch);
        std::string name = fmt::format("model {}", fmt::join(arches, ", "));
        // Predicted times depend on the device whose ceilings were given.
        if (run && run->gpu) name += " of " + run->gpu->name;
        return {name, name};
    }
    if (run && run->gpu)
        return {run->gpu->name, fmt::format("{}, {} SMs, compute capability {}", run->gpu->name,
                                            run->gpu->sm_count, run->gpu->compute_capability)};
    std::string processor = run && run->cpu ? run->cpu->model.value_or("") : "";
    if (processor.empty()) processor = document.context.host_name;
    if (processor.empty()) processor = "unknown machine";
    return {processor, processor};
}

HistoryFolder::HistoryFolder(fs::path folder, Missing missing) : folder_(std::move(folder)) {
    const fs::path version = folder_ / version_file;
    std::error_code ignored;
    if (!fs::exists(version, ignored)) {
        if (missing == Missing::refused)
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" is no history, because it has no {}: give the folder "
                                    "that camber history add --to wrote",
                                    folder_.string(), version_file));
        if (fs::exists(folder_, ignored) && !fs::is_directory(folder_, ignored))
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" is a file, and a history is a folder: give --to "
                                    "another path",
                                    folder_.string()));
        // Another job may have written the file since.
        if (!has_no_files(folder_) && !fs::exists(version, ignored))
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" has other files and is no history: give --to an empty "
                                    "or new folder",
                                    folder_.string()));
        create_folder(folder_);
        write_new(version, fmt::format("{{\"schema_version\": {}}}\n", schema_version),
                  "history's version");
    }
    try {
        require_version(results::parse_json(read_file(version, "history's version", "a history")),
                        version);
    } catch (const results::SyntaxError&) {
        damaged(version, "is not a JSON document");
    }
}

HistoryFolder::Added HistoryFolder::add(const HistoryEntry& entry, std::string_view results) const {
    std::string name_of_folder = CacheFolder::part(entry.machine.name);
    if (name_of_folder.starts_with('.')) name_of_folder.insert(0, "_");  // "..", hidden folders
    const fs::path folder = folder_ / name_of_folder;
    const Commit& commit = entry.commit;
    const std::string name =
        fmt::format("{}{}-{:016x}{}", commit.hash.substr(0, 12), commit.dirty ? "-dirty" : "",
                    digest(results, digest(entry.machine.name + "\n" + commit.hash)), entry_ending);
    const fs::path file = folder / name;
    std::error_code ignored;
    if (fs::exists(file, ignored)) return {file, false};
    for (const HistoryEntry& earlier : entries())
        if (earlier.machine.name == entry.machine.name &&
            earlier.machine.hardware != entry.machine.hardware)
            throw Error(
                ExitCode::incomparable,
                fmt::format("{} was measured on {}, and the series of machine '{}' on {}: two "
                            "machines in one series are not comparable, so give --machine another "
                            "name",
                            entry.source, entry.machine.hardware, entry.machine.name,
                            earlier.machine.hardware));
    create_folder(folder);
    std::string text = header_of(entry);
    text += '\n';
    text += results;
    write_new(file, gzipped(text), "history file");
    return {file, true};
}

std::vector<HistoryEntry> HistoryFolder::entries() const {
    std::vector<HistoryEntry> entries;
    std::error_code error;
    for (fs::recursive_directory_iterator file(folder_, error), end; !error && file != end;
         file.increment(error)) {
        const std::string name = file->path().filename().string();
        if (name.ends_with(entry_ending) && !name.starts_with('.'))
            entries.push_back(read_header(file->path()));
    }
    if (error)
        throw Error(ExitCode::usage,
                    fmt::format("cannot read the history \"{}\": {}; check its permissions",
                                folder_.string(), error.message()));
    std::ranges::sort(entries, {}, [](const HistoryEntry& entry) {
        return std::tuple(entry.machine, entry.added, entry.file.filename());
    });
    return entries;
}

results::Document HistoryFolder::document(const HistoryEntry& entry) {
    std::string text = read_entry(entry.file, false);
    text.erase(0, text.find('\n') + 1);
    results::Document document =
        results::parse_document(text, fmt::format("{} in {}", entry.source, entry.file.string()));
    results::merge_repetitions(document);
    return document;
}

std::vector<results::Document> CommitResults::documents() const {
    std::vector<results::Document> documents;
    for (const HistoryEntry& entry : entries) documents.push_back(HistoryFolder::document(entry));
    return documents;
}

std::vector<MachineHistory> by_machine(const std::vector<HistoryEntry>& entries,
                                       const GitRepository* repository) {
    std::map<std::string, std::size_t> positions;  // of commits in the repository's history
    if (repository) {
        std::set<std::string> hashes;
        for (const HistoryEntry& entry : entries) hashes.insert(entry.commit.hash);
        for (const std::string& hash : repository->in_order({hashes.begin(), hashes.end()}))
            positions.emplace(hash, positions.size());
    }
    std::map<Machine, std::vector<CommitResults>> machines;
    for (const HistoryEntry& entry : entries) {
        std::vector<CommitResults>& commits = machines[entry.machine];
        auto found = std::ranges::find(commits, entry.commit, &CommitResults::commit);
        if (found == commits.end()) found = commits.insert(found, {entry.commit, {}});
        // The time of a commit is that of its first measurement, if git does not tell it.
        found->commit.time = std::min(found->commit.time, entry.commit.time);
        found->entries.push_back(entry);
    }
    std::vector<MachineHistory> histories;
    for (auto& [machine, commits] : machines) {
        std::ranges::stable_sort(commits, {}, [&](const CommitResults& one) {
            const auto position = positions.find(one.commit.hash);
            return std::tuple(position == positions.end() ? 0 : position->second,
                              repository ? 0 : one.commit.time, one.commit.dirty);
        });
        histories.push_back({machine, std::move(commits)});
    }
    return histories;
}

const MachineHistory& machine_named(const std::vector<MachineHistory>& machines,
                                    const std::string& name, const std::string& folder) {
    if (machines.empty())
        throw Error(ExitCode::usage,
                    fmt::format("the history \"{}\" is empty: add results with camber history add",
                                folder));
    if (name.empty() && machines.size() == 1) return machines.front();
    std::set<std::string> names;
    const MachineHistory* found = nullptr;
    for (const MachineHistory& one : machines) {
        names.insert(fmt::format("'{}'", one.machine.name));
        if (one.machine.name == name) found = &one;
    }
    if (found) return *found;
    if (name.empty())
        throw Error(ExitCode::usage,
                    fmt::format("the history \"{}\" has results of {} machines, whose series are "
                                "judged apart: name one with --machine, of {}",
                                folder, machines.size(), fmt::join(names, ", ")));
    throw Error(ExitCode::usage,
                fmt::format("the history \"{}\" has no machine '{}': choose from {}", folder, name,
                            fmt::join(names, ", ")));
}

std::vector<history::MachineTrend> trends_of(const HistoryFolder& folder,
                                             const GitRepository* repository,
                                             const std::string& machine, std::size_t last,
                                             double threshold) {
    std::vector<MachineHistory> machines = by_machine(folder.entries(), repository);
    if (machines.empty() || !machine.empty())
        machines = {machine_named(machines, machine, folder.folder().string())};
    std::vector<history::MachineTrend> trends;
    for (const MachineHistory& one : machines) {
        history::TrendBuilder builder(one.machine, threshold);
        const std::size_t size = one.commits.size();
        for (std::size_t k = last > 0 && size > last ? size - last : 0; k < size; ++k)
            builder.add(one.commits[k].commit, one.commits[k].documents());
        trends.push_back(builder.finish());
    }
    return trends;
}

}  // namespace camber
