// Traces, joined from the spans of several processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/span_file.h"

namespace takt::command {

// One ORB's file.
struct TracedProcess {
  std::uint64_t process = 0;
  std::string program, orb, host;
};

struct TracedSpan : tracing::ReadSpan {
  std::size_t process = 0;  // index in Traces::processes
  // In its trace's list of spans:
  std::optional<std::size_t> parent_at;  // empty: it begins the trace, or its parent is in no file
  std::vector<std::size_t> children;     // by start
};

struct Trace {
  tracing::TraceId id{};
  std::vector<TracedSpan> spans;   // by start
  std::vector<std::size_t> roots;  // spans without a parent in the files
  std::int64_t start_ns = 0, end_ns = 0;
  std::size_t processes = 0;

  bool failed() const;
  const TracedSpan& root() const { return spans[roots.front()]; }
};

struct Traces {
  std::vector<TracedProcess> processes;
  std::vector<Trace> all;         // by start
  std::uint64_t overwritten = 0;  // spans that newer ones have replaced
  std::uint64_t left_out = 0;     // spans that were lost or incomplete
};

// A span that is in several files is taken once. A ring of spans, as only hostile files have, is cut at one
// of them, which is a root.
Traces join(const std::vector<tracing::SpanFile>& files);

// Calls visit(span, depth) for each span of the trace, parents before their children. Without recursion,
// since files may have chains of any length.
template <class Visit>
void visit_tree(const Trace& trace, Visit visit) {
  std::vector<std::pair<std::size_t, std::size_t>> waiting;  // span and depth
  for (auto root = trace.roots.rbegin(); root != trace.roots.rend(); ++root) waiting.emplace_back(*root, 0);
  while (!waiting.empty()) {
    const auto [at, depth] = waiting.back();
    waiting.pop_back();
    const TracedSpan& span = trace.spans[at];
    visit(span, depth);
    for (auto child = span.children.rbegin(); child != span.children.rend(); ++child)
      waiting.emplace_back(*child, depth + 1);
  }
}

std::string hex_id(const tracing::TraceId& id);
std::string hex_id(const tracing::SpanId& id);
// "client", "server" or "program"
const char* kind_in_words(std::uint8_t kind);
// "1.234 ms"
std::string in_words(std::int64_t duration_ns);
// A text of a peer, without characters that end a line or control a terminal.
std::string one_line(const std::string& text);
// "program[number]"
std::string name_of(const TracedProcess& process);

}  // namespace takt::command
