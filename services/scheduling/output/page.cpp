#include "scheduling/output/page.h"

#include <algorithm>
#include <utility>

#include "schedulability/model/words.h"
#include "scheduling/output/charts.h"
#include "scheduling/output/played.h"
#include "scheduling/output/report.h"
#include "scheduling/output/svg.h"

namespace takt::scheduling {
namespace {

// Text has a contrast of at least 4.5 : 1 with its background, in light and in dark (a test computes it).
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --soft: #586173; --line: #dde1e8; --red: #c62f3b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --paper: #14181f; --soft: #9aa3b2; --line: #2b323d; --red: #f0707a; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
       max-width: 62rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin-top: 2rem }
pre { overflow-x: auto; font-size: 12.5px; border: 1px solid var(--line); border-radius: 6px; padding: 1rem }
pre span { display: block; white-space: pre-wrap; overflow-wrap: anywhere }
p { max-width: 46rem; color: var(--soft); overflow-wrap: anywhere } footer { border-top: 1px solid var(--line); margin-top: 2rem }
.chart { overflow-x: auto }
svg { width: 100%; min-width: 820px; height: auto; font: 12.5px system-ui, sans-serif; fill: var(--ink) }
text { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round }
.tick { fill: var(--soft); font-size: 11.5px; text-anchor: middle } .left { text-anchor: start } .right { text-anchor: end }
.inside { fill: #fff; stroke: none } .grid { stroke: var(--line) } .release { stroke: var(--soft) }
.deadline { stroke: var(--red); stroke-width: 1.5 } .missed { stroke: var(--red); stroke-width: 4 }
.c0 { fill: #2f6db3 } .c1 { fill: #217566 } .c2 { fill: #96600f } .c3 { fill: #7a57b8 } .c4 { fill: #a84a78 }
.c5 { fill: #5b6b7c } .good { fill: #217566 } .bad { fill: #c62f3b } .open { fill: #96600f }
.seen { fill: #fff; fill-opacity: .55 }
.node { fill: var(--paper); stroke: var(--soft) } .active { stroke: #2f6db3; stroke-width: 2 }
.call, .oneway { fill: none; stroke: var(--soft); stroke-width: 1.3 } .oneway { stroke-dasharray: 5 4 }
@media print {
  :root { --ink: #1d2430; --paper: #fff; --soft: #586173; --line: #dde1e8; --red: #c62f3b; }
  body { margin: 0; max-width: none; print-color-adjust: exact; -webkit-print-color-adjust: exact }
  pre { white-space: pre-wrap } svg { min-width: 0 } svg, h2 { break-inside: avoid } h2 { break-after: avoid }
}
)";

constexpr std::size_t most_threads = 200;

void section(std::string& html, std::string_view title, std::string_view words, std::string_view content) {
  html += "<h2>" + std::string(title) + "</h2>\n<p>" + escaped(words) + "</p>\n" + std::string(content);
}

// Text in a box: lines with columns scroll if they are too long, sentences are continued on the next line.
std::string box(std::string_view text) {
  std::string html = "<pre>";
  for (std::size_t end; !text.empty(); text.remove_prefix(end)) {
    end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    const bool sentence = line != "\n" && line.find("  ") == std::string_view::npos;
    html += sentence ? "<span>" + escaped(line) + "</span>" : escaped(line);
  }
  return html + "</pre>\n";
}

// The text about the first picture and its first missed deadline.
std::string about(const Repository& repository, const Analysis& analysis, const Played& played) {
  const Simulation& simulation = played.simulation;
  std::string text = "Simulated for " + text_of(simulation.end) +
                     (played.critical_instant ? ", all threads released together at its beginning"
                                              : ", with releases at their phases") +
                     ", every job at its worst case: " + std::to_string(simulation.releases) + " releases, " +
                     std::to_string(simulation.misses) +
                     (simulation.misses == 1 ? " missed deadline." : " missed deadlines.");
  if (played.first_miss)
    text += " The first is missed at " + text_of(played.first_miss->at) + ", by '" +
            name_of(repository, analysis, played.first_miss->thread) + "'.";
  else if (played.critical_instant)
    text += " The deadline that the report calls missed lies beyond the simulated time.";
  text +=
      " Colours are priority levels, thin lines are releases, red ones deadlines before the end of a period, "
      "thick red ones a thread's first missed deadline.";
  if (!simulation.complete) text += " The simulation stops there, at its limit of steps.";
  if (played.begin > Time(0) || played.end < simulation.end)
    text += " The chart shows it from " + text_of(played.begin) + " to " + text_of(played.end) + ".";
  return text;
}

void footer(std::string& html, const Provenance& provenance) {
  const std::pair<const char*, const std::string&> parts[] = {{"Made by takt ", provenance.version},
                                                              {" on ", provenance.date},
                                                              {" from ", provenance.inputs},
                                                              {", with: ", provenance.command}};
  std::string text;
  for (const auto& [before, part] : parts)
    if (!part.empty()) text += before + part;
  if (!text.empty()) html += "<footer><p>" + escaped(text) + "</p></footer>\n";
}

}  // namespace

std::string page(const Repository& repository, const Analysis& analysis, std::string_view title,
                 std::span<const Measured> measured, const Provenance& provenance) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>" +
      escaped(title) + "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n<h1>" +
      escaped(title) + "</h1>\n" + box(report(repository, analysis));
  if (!measured.empty())
    section(html, "Predicted and measured",
            "Above, the bound of the analysis; below, the slowest job of the run and, pale, its median. The "
            "red line is the deadline.",
            measured_chart(repository, analysis, measured) +
                box(measured_report(repository, analysis, measured)));
  if (analysis.threads.size() <= most_threads) {
    const Played played = play(analysis);
    section(html, "Who runs when", about(repository, analysis, played),
            gantt_chart(repository, analysis, played));
    section(html, "Processor utilisation", "By priority level; the red line is 100 % of a processor.",
            utilisation_chart(analysis));
    section(html, "Response times",
            "The bound of the analysis, and within it, pale, the slowest that the simulation saw; the red "
            "line is the deadline.",
            response_chart(repository, analysis, played.simulation));
  }
  if (repository.infos().size() <= most_threads) {
    const std::string calls = calls_in_words(repository);
    section(html, "Dependencies",
            "Callers above; dashed lines are one-way calls, which start a thread. Operations with a rate of "
            "their own are framed in blue.",
            dependency_chart(repository) + (calls.empty() ? "" : box(calls)));
  }
  footer(html, provenance);
  return html + "</body>\n</html>\n";
}

}  // namespace takt::scheduling
