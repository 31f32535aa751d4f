#include "harness/measure/timeline_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/record/archive.hpp"

namespace camber::results {

// Keys of trace files: those of the Trace Event Format (Google, 2016), and our own in "otherData",
// which the format reserves for such use.
template <>
struct Names<SpanKind> {
    static constexpr std::array all = span_kinds;
    static std::string_view text(SpanKind kind) { return name(kind); }
};

namespace {

double microseconds(std::int64_t ns) {
    return static_cast<double>(ns) / 1e3;
}

std::int64_t nanoseconds(const Json& microseconds) {
    return std::llround(microseconds.get<double>() * 1e3);
}

// Numbers of processes and threads, which viewers require to be unique in the file.
struct Numbers {
    int process = 1;
    int thread = 1;
};

class TraceWriter {
  public:
    void add(const Timeline& timeline) {
        const Numbers first = next_;
        Json places = Json::array();
        for (const std::string& place : timeline.places) {
            const int process = next_.process++;
            name("process", process, std::nullopt, timeline.name + " on " + place, process);
            places.push_back({{"process", process}, {"name", place}});
        }
        Json lanes = Json::array();
        for (const Lane& lane : timeline.lanes) {
            const int thread = next_.thread++;
            const int process = first.process + lane.place;
            name("thread", process, thread, lane.name, lane.host ? 0 : thread);
            lanes.push_back({{"thread", thread},
                             {"process", process},
                             {"name", lane.name},
                             {"host", lane.host}});
        }
        Json& head = timelines_.emplace_back();
        head["name"] = timeline.name;
        if (timeline.residual_ns) head["clock_residual_ns"] = *timeline.residual_ns;
        head["places"] = std::move(places);
        head["lanes"] = std::move(lanes);
        for (const Span& span : timeline.spans) {
            Json event = at(timeline, span.lane, first);
            event["ph"] = "X";
            event["name"] = span.name;
            event["cat"] = camber::name(span.kind);
            event["ts"] = microseconds(span.start_ns);
            event["dur"] = microseconds(span.end_ns - span.start_ns);
            if (span.bytes != 0) event["args"]["bytes"] = span.bytes;
            if (span.correlation != 0) event["args"]["correlation"] = span.correlation;
            add(event);
        }
        add_arrows(timeline, first);
    }

    std::string text() const {
        const Json other = {{"writer", "camber"}, {"timelines", timelines_}};
        return fmt::format(
            "{{\"displayTimeUnit\": \"ns\",\n\"otherData\": {},\n\"traceEvents\": "
            "[\n{}\n]}}\n",
            dumped(other), events_);
    }

  private:
    static std::string dumped(const Json& json) {
        return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

    static Json at(const Timeline& timeline, int lane, const Numbers& first) {
        const int place = timeline.lanes.at(static_cast<std::size_t>(lane)).place;
        return {{"pid", first.process + place}, {"tid", first.thread + lane}};
    }

    void add(const Json& event) {
        if (!events_.empty()) events_ += ",\n";
        events_ += dumped(event);
    }

    void name(const std::string& what, int process, std::optional<int> thread,
              const std::string& name, int order) {
        Json event = {{"ph", "M"}, {"pid", process}};
        if (thread) event["tid"] = *thread;
        event["name"] = what + "_name";
        event["args"] = {{"name", name}};
        add(event);
        event["name"] = what + "_sort_index";
        event["args"] = {{"sort_index", order}};
        add(event);
    }

    void add_arrows(const Timeline& timeline, const Numbers& first) {
        std::map<std::int64_t, const Span*> calls;
        for (const Span& span : timeline.spans)
            if (span.correlation != 0 &&
                timeline.lanes.at(static_cast<std::size_t>(span.lane)).host)
                calls.try_emplace(span.correlation, &span);
        for (const Span& span : timeline.spans) {
            const auto call = calls.find(span.correlation);
            if (call == calls.end() || timeline.lanes.at(static_cast<std::size_t>(span.lane)).host)
                continue;
            const int number = arrow_++;
            const auto end = [&](const char* phase, const Span& of) {
                Json event = at(timeline, of.lane, first);
                event["ph"] = phase;
                event["id"] = number;
                event["name"] = "issue";
                event["cat"] = "issue";
                event["ts"] = microseconds(of.start_ns);
                if (*phase == 'f') event["bp"] = "e";
                add(event);
            };
            end("s", *call->second);
            end("f", span);
        }
    }

    Numbers next_;
    int arrow_ = 1;
    Json timelines_ = Json::array();
    std::string events_;
};

struct Place {
    std::size_t timeline = 0;
    int lane = 0;
};

std::vector<Timeline> read_timelines(const Json& trace) {
    std::vector<Timeline> timelines;
    std::map<std::int64_t, Place> threads;
    for (const Json& head : trace.at("otherData").at("timelines")) {
        Timeline& timeline = timelines.emplace_back();
        timeline.name = head.at("name").get<std::string>();
        if (const auto residual = head.find("clock_residual_ns"); residual != head.end())
            timeline.residual_ns = residual->get<double>();
        std::map<std::int64_t, int> processes;
        for (const Json& place : head.at("places")) {
            processes[place.at("process").get<std::int64_t>()] =
                static_cast<int>(timeline.places.size());
            timeline.places.push_back(place.at("name").get<std::string>());
        }
        for (const Json& lane : head.at("lanes")) {
            threads[lane.at("thread").get<std::int64_t>()] = {
                timelines.size() - 1, static_cast<int>(timeline.lanes.size())};
            timeline.lanes.push_back({processes.at(lane.at("process").get<std::int64_t>()),
                                      lane.at("name").get<std::string>(),
                                      lane.at("host").get<bool>()});
        }
    }
    for (const Json& event : trace.at("traceEvents")) {
        if (event.at("ph") != "X") continue;
        const Place& place = threads.at(event.at("tid").get<std::int64_t>());
        Span& span = timelines[place.timeline].spans.emplace_back();
        const auto kind = named<SpanKind>(event.at("cat").get<std::string>());
        if (!kind) throw std::out_of_range("an event of an unknown kind");
        span.kind = *kind;
        span.lane = place.lane;
        span.name = event.at("name").get<std::string>();
        span.start_ns = nanoseconds(event.at("ts"));
        span.end_ns = span.start_ns + nanoseconds(event.at("dur"));
        if (const auto args = event.find("args"); args != event.end()) {
            span.bytes = args->value("bytes", std::int64_t{0});
            span.correlation = args->value("correlation", std::int64_t{0});
        }
    }
    return timelines;
}

}  // namespace

std::string trace_text(const std::vector<Timeline>& timelines) {
    TraceWriter writer;
    for (const Timeline& timeline : timelines) writer.add(timeline);
    return writer.text();
}

namespace {

// `origin`: name of the source in messages, "\"t.json\"".
std::vector<Timeline> timelines_of(const std::string& text, const std::string& origin) {
    const auto refuse = [&](const std::string& why) {
        return Error(ExitCode::usage,
                     fmt::format("{} is no trace of camber's, {}: give a file that camber run "
                                 "--trace wrote",
                                 origin, why));
    };
    try {
        const Json trace = parse_json(text);
        const auto other = trace.is_object() ? trace.find("otherData") : trace.end();
        if (!trace.is_object() || other == trace.end() || !other->is_object() ||
            other->value("writer", Json()) != "camber")
            throw refuse("it does not say that camber wrote it");
        return read_timelines(trace);
    } catch (const SyntaxError&) {
        throw refuse("it is no JSON");
    } catch (const Json::exception&) {
        throw refuse("a part of it is missing or of another type");
    } catch (const std::out_of_range&) {
        throw refuse("a part of it is of an unknown kind or thread");
    }
}

}  // namespace

std::vector<Timeline> timelines_in(const std::string& text) {
    return timelines_of(text, "what was sent");
}

std::vector<Timeline> read_trace(const std::filesystem::path& path) {
    return timelines_of(read_file(path, "trace", "a file that camber run --trace wrote"),
                        '"' + path.string() + '"');
}

}  // namespace camber::results
