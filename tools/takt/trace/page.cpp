#include "trace/page.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "common/output.h"
#include "scheduling/output/svg.h"

namespace takt::command {
namespace {

using scheduling::escaped;
using scheduling::Svg;

constexpr std::size_t most_rows = 2000;
constexpr double row_height = 22, bar_height = 14, names_width = 330, right_margin = 120;
constexpr std::size_t colours = 6;

// Text has a contrast of at least 4.5 : 1 with its background, in light and in dark.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --soft: #586173; --line: #dde1e8; --red: #c62f3b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --paper: #14181f; --soft: #9aa3b2; --line: #2b323d; --red: #f0707a; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 62rem; padding: 0 1rem }
h1 { font-size: 1.4rem; overflow-wrap: anywhere } p, li { color: var(--soft); overflow-wrap: anywhere }
.chart { overflow-x: auto } ul { padding: 0; list-style: none } .box { display: inline-block; width: .8em; height: .8em; margin-right: .5em }
svg { width: 100%; min-width: 820px; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink) }
.soft { fill: var(--soft) } .bad { fill: var(--red) } .grid { stroke: var(--line) }
.c0 { fill: #2f6db3; background: #2f6db3 } .c1 { fill: #217566; background: #217566 } .c2 { fill: #96600f; background: #96600f }
.c3 { fill: #7a57b8; background: #7a57b8 } .c4 { fill: #a84a78; background: #a84a78 } .c5 { fill: #5b6b7c; background: #5b6b7c }
@media print { body { margin: 0; max-width: none; print-color-adjust: exact; -webkit-print-color-adjust: exact } svg { min-width: 0 } }
)";

std::string colour_of(std::size_t process) { return "c" + std::to_string(process % colours); }

std::string about(const TracedSpan& span, const Traces& traces) {
  std::string text = std::string(kind_in_words(span.kind)) + " " + one_line(span.name) + ", " +
                     in_words(span.duration_ns) + ", " + one_line(name_of(traces.processes[span.process])) +
                     ", thread " + std::to_string(span.thread);
  if (!span.peer.empty()) text += ", with " + one_line(span.peer);
  if (span.failed) text += ", failed: " + one_line(span.failure);
  return text;
}

// At most `most` octets, cut at a character's end.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t size = most - 3;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size) + "...";
}

class Drawing {
 public:
  Drawing(const Trace& trace, const Traces& traces) : trace_(trace), traces_(traces) {
    constexpr int lines = 4;
    const double bottom = row_height * static_cast<double>(std::min(trace.spans.size(), most_rows) + 1);
    for (int i = 0; i <= lines; ++i) {
      const std::int64_t at = length() * i / lines;
      svg_.line(x_of(at), row_height - 4, x_of(at), bottom, "grid");
      svg_.text(x_of(at), row_height - 8, in_words(at), "soft");
    }
  }
  void add(const TracedSpan& span, std::size_t depth) {
    if (rows_ == most_rows) return;
    const double y = row_height * static_cast<double>(++rows_);
    const double indent = 10 * static_cast<double>(std::min<std::size_t>(depth, 12));
    const double from = x_of(span.start_ns - trace_.start_ns);
    const double to = x_of(span.start_ns + span.duration_ns - trace_.start_ns);
    const std::string type = span.failed ? "bad" : "";
    svg_.text(indent, y + bar_height - 2,
              shortened(std::string(kind_in_words(span.kind)) + " " + one_line(span.name), 48), type);
    svg_.rectangle(from, y, std::max(to - from, 1.0), bar_height, colour_of(span.process),
                   about(span, traces_));
    svg_.text(to + 4, y + bar_height - 2, in_words(span.duration_ns) + (span.failed ? " failed" : ""),
              span.failed ? "bad" : "soft");
  }
  std::string done() const { return svg_.done("the spans of the trace"); }

 private:
  std::int64_t length() const { return std::max<std::int64_t>(trace_.end_ns - trace_.start_ns, 1); }
  double x_of(std::int64_t since_start_ns) const {
    return names_width + (Svg::width - names_width - right_margin) * static_cast<double>(since_start_ns) /
                             static_cast<double>(length());
  }

  const Trace& trace_;
  const Traces& traces_;
  Svg svg_;
  std::size_t rows_ = 0;
};

std::string legend(const Trace& trace, const Traces& traces) {
  std::string html = "<ul>\n";
  for (std::size_t i = 0; i < traces.processes.size(); ++i) {
    if (std::ranges::none_of(trace.spans, [&](const TracedSpan& span) { return span.process == i; }))
      continue;
    const TracedProcess& process = traces.processes[i];
    html += "<li><span class=\"box " + colour_of(i) + "\"></span>" + escaped(one_line(name_of(process))) +
            (process.host.empty() ? "" : " on " + escaped(one_line(process.host))) + "</li>\n";
  }
  return html + "</ul>\n";
}

}  // namespace

std::string html_of(const Trace& trace, const Traces& traces) {
  Drawing drawing(trace, traces);
  visit_tree(trace, [&](const TracedSpan& span, std::size_t depth) { drawing.add(span, depth); });
  const std::string title = "Trace " + hex_id(trace.id);
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>" +
      title + "</title>\n<style>" + std::string(style) + "</style></head>\n<body>\n<h1>" +
      escaped(one_line(trace.root().name)) + "</h1>\n<p>" + title + ", " + time_in_words(trace.start_ns) +
      ", " + in_words(trace.end_ns - trace.start_ns) + ", " + std::to_string(trace.spans.size()) +
      (trace.spans.size() == 1 ? " span" : " spans") + (trace.failed() ? ", with failures" : "") + ".</p>\n" +
      legend(trace, traces) + drawing.done();
  if (trace.spans.size() > most_rows)
    html += "<p>" + std::to_string(trace.spans.size() - most_rows) + " spans are not drawn.</p>\n";
  return html + "</body></html>\n";
}

}  // namespace takt::command
