#include "trace/traces.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "logs/log_format.h"
#include "reference/text/hex.h"

namespace takt::command {
namespace {

using tracing::ReadSpan;
using tracing::SpanFile;
using tracing::SpanId;
using tracing::TraceId;

std::string hex(const auto& id) {
  std::string text;
  for (const std::uint8_t octet : id) reference::append_hex(text, octet);
  return text;
}

// Cuts each ring of parents, at one of its spans. Each span is passed twice at most.
void cut_rings(std::vector<TracedSpan>& spans) {
  std::vector<std::size_t> passed_by(spans.size(), 0);  // 1 + the span from which it was reached first
  for (std::size_t from = 0; from < spans.size(); ++from) {
    std::optional<std::size_t> at = from;
    while (at && passed_by[*at] == 0) {
      passed_by[*at] = 1 + from;
      TracedSpan& span = spans[*at];
      if (span.parent_at && passed_by[*span.parent_at] == 1 + from) span.parent_at.reset();
      at = span.parent_at;
    }
  }
}

void find_parents(Trace& trace) {
  std::map<SpanId, std::size_t> by_id;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) by_id.emplace(trace.spans[i].span, i);
  for (TracedSpan& span : trace.spans)
    if (const auto parent = by_id.find(span.parent); parent != by_id.end()) span.parent_at = parent->second;
  cut_rings(trace.spans);
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    const auto parent = trace.spans[i].parent_at;
    (parent ? trace.spans[*parent].children : trace.roots).push_back(i);
  }
}

void complete(Trace& trace) {
  std::ranges::sort(trace.spans, {},
                    [](const TracedSpan& span) { return std::pair(span.start_ns, span.span); });
  std::set<std::size_t> processes;
  trace.start_ns = trace.spans.front().start_ns;
  for (const TracedSpan& span : trace.spans) {
    trace.end_ns = std::max(trace.end_ns, span.start_ns + span.duration_ns);
    processes.insert(span.process);
  }
  trace.processes = processes.size();
  find_parents(trace);
}

void take(std::map<TraceId, Trace>& by_id, const SpanFile& file, std::size_t process,
          std::set<std::pair<TraceId, SpanId>>& known) {
  for (const ReadSpan& span : file.spans) {
    if (!known.emplace(span.trace, span.span).second) continue;
    Trace& trace = by_id[span.trace];
    trace.id = span.trace;
    trace.spans.push_back({span, process, {}, {}});
  }
}

}  // namespace

bool Trace::failed() const { return std::ranges::any_of(spans, &TracedSpan::failed); }

Traces join(const std::vector<SpanFile>& files) {
  Traces traces;
  std::map<TraceId, Trace> by_id;
  std::set<std::pair<TraceId, SpanId>> known;
  for (const SpanFile& file : files) {
    const std::uint64_t missing = file.left_out + file.torn, kept = file.spans.size() + missing;
    traces.left_out += missing;
    traces.overwritten += file.ended > kept ? file.ended - kept : 0;
    traces.processes.push_back({file.process, file.program, file.orb, file.host});
    take(by_id, file, traces.processes.size() - 1, known);
  }
  for (auto& [id, trace] : by_id) {
    complete(trace);
    traces.all.push_back(std::move(trace));
  }
  std::ranges::stable_sort(traces.all, {}, &Trace::start_ns);
  return traces;
}

std::string hex_id(const TraceId& id) { return hex(id); }
std::string hex_id(const SpanId& id) { return hex(id); }

const char* kind_in_words(std::uint8_t kind) {
  return kind == 2 ? "server" : kind == 3 ? "client" : "program";
}

std::string in_words(std::int64_t duration_ns) {
  char text[40];
  const auto time = static_cast<double>(duration_ns);
  if (duration_ns < 1'000'000)
    std::snprintf(text, sizeof text, "%.1f us", time / 1e3);
  else if (duration_ns < 1'000'000'000)
    std::snprintf(text, sizeof text, "%.3f ms", time / 1e6);
  else
    std::snprintf(text, sizeof text, "%.3f s", time / 1e9);
  return text;
}

std::string one_line(const std::string& text) {
  std::string shown;
  logs::append_printable(shown, text);
  return shown;
}

std::string name_of(const TracedProcess& process) {
  return (process.program.empty() ? "unknown" : process.program) + "[" + std::to_string(process.process) +
         "]";
}

}  // namespace takt::command
