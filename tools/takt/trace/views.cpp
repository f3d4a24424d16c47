#include "trace/views.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace takt::command {
namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

bool has_parent(const TracedSpan& span) {
  return std::ranges::any_of(span.parent, [](std::uint8_t octet) { return octet != 0; });
}

Json json_of(const TracedProcess& process) {
  return {{"program", process.program},
          {"process", process.process},
          {"orb", process.orb},
          {"host", process.host}};
}

Json json_of(const TracedSpan& span, const Traces& traces) {
  return {{"span_id", hex_id(span.span)},
          {"parent_id", has_parent(span) ? Json(hex_id(span.parent)) : Json()},
          {"kind", kind_in_words(span.kind)},
          {"name", span.name},
          {"start_ns", span.start_ns},
          {"duration_ns", span.duration_ns},
          {"failed", span.failed},
          {"failure", span.failure},
          {"peer", span.peer},
          {"thread", span.thread},
          {"process", json_of(traces.processes[span.process])}};
}

Json summary(const Trace& trace) {
  return {{"trace_id", hex_id(trace.id)}, {"name", trace.root().name},
          {"start_ns", trace.start_ns},   {"duration_ns", trace.end_ns - trace.start_ns},
          {"spans", trace.spans.size()},  {"processes", trace.processes},
          {"failed", trace.failed()}};
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "es");
}

std::string line_of(const TracedSpan& span, std::size_t depth, const Traces& traces) {
  std::string line =
      padded(in_words(span.duration_ns), 12) + std::string(2 * std::min<std::size_t>(depth, 40), ' ');
  line += std::string(kind_in_words(span.kind)) + " " + one_line(span.name) + "  " +
          one_line(name_of(traces.processes[span.process]));
  if (!span.peer.empty()) line += " with " + one_line(span.peer);
  if (!span.parent_at && has_parent(span)) line += "  (its parent " + hex_id(span.parent) + " is in no file)";
  if (span.failed)
    line += "  FAILED" + (span.failure.empty() ? std::string() : ": " + one_line(span.failure));
  return line + "\n";
}

double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e3; }

}  // namespace

std::string list_in_words(const Traces& traces) {
  std::string text = padded("TRACE", 34) + padded("START", 29) + padded("DURATION", 13) + padded("SPANS", 7) +
                     padded("PROCESSES", 11) + "NAME\n";
  for (const Trace& trace : traces.all)
    text += padded(hex_id(trace.id), 34) + padded(time_in_words(trace.start_ns), 29) +
            padded(in_words(trace.end_ns - trace.start_ns), 13) +
            padded(std::to_string(trace.spans.size()), 7) + padded(std::to_string(trace.processes), 11) +
            one_line(trace.root().name) + (trace.failed() ? "  FAILED\n" : "\n");
  return text;
}

Json list_as_json(const Traces& traces) {
  Json all = Json::array();
  for (const Trace& trace : traces.all) all.push_back(summary(trace));
  return {{"traces", std::move(all)}, {"overwritten", traces.overwritten}, {"left_out", traces.left_out}};
}

std::string tree_in_words(const Trace& trace, const Traces& traces) {
  std::string text = "trace " + hex_id(trace.id) + ", " + time_in_words(trace.start_ns) + ", " +
                     in_words(trace.end_ns - trace.start_ns) + ", " + counted(trace.processes, "process") +
                     "\n";
  visit_tree(trace, [&](const TracedSpan& span, std::size_t depth) { text += line_of(span, depth, traces); });
  return text;
}

Json tree_as_json(const Trace& trace, const Traces& traces) {
  Json spans = Json::array();
  visit_tree(trace, [&](const TracedSpan& span, std::size_t) { spans.push_back(json_of(span, traces)); });
  Json json = summary(trace);
  json["spans"] = std::move(spans);
  return json;
}

Json as_chrome_trace(const Trace& trace, const Traces& traces) {
  Json events = Json::array();
  for (std::size_t i = 0; i < traces.processes.size(); ++i)
    events.push_back({{"ph", "M"},
                      {"name", "process_name"},
                      {"pid", i},
                      {"args", {{"name", name_of(traces.processes[i])}}}});
  const auto event = [](const char* type, const TracedSpan& span, std::int64_t at_ns) -> Json {
    return {{"ph", type},          {"name", span.name},  {"cat", kind_in_words(span.kind)},
            {"pid", span.process}, {"tid", span.thread}, {"ts", microseconds(at_ns)}};
  };
  for (const TracedSpan& span : trace.spans) {
    Json slice = event("X", span, span.start_ns - trace.start_ns);
    slice["dur"] = microseconds(span.duration_ns);
    slice["args"] = {{"span_id", hex_id(span.span)}, {"peer", span.peer}, {"failure", span.failure}};
    events.push_back(std::move(slice));
    if (!span.parent_at || trace.spans[*span.parent_at].process == span.process) continue;
    const TracedSpan& parent = trace.spans[*span.parent_at];
    for (const bool end : {false, true}) {
      Json arrow =
          event(end ? "f" : "s", end ? span : parent, (end ? span : parent).start_ns - trace.start_ns);
      arrow["name"] = "call";
      arrow["cat"] = "call";
      arrow["id"] = hex_id(span.span);
      if (end) arrow["bp"] = "e";
      events.push_back(std::move(arrow));
    }
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}};
}

}  // namespace takt::command
