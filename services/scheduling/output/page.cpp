#include "scheduling/output/page.h"

#include <algorithm>

#include "scheduling/model/words.h"
#include "scheduling/output/charts.h"
#include "scheduling/output/report.h"
#include "scheduling/output/svg.h"

namespace takt::scheduling {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --soft: #8a93a3; --line: #dde1e8; --red: #c62f3b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --paper: #14181f; --soft: #8a93a3; --line: #2b323d; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
       max-width: 62rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin-top: 2rem }
pre { overflow-x: auto; font-size: 12.5px; border: 1px solid var(--line); border-radius: 6px; padding: 1rem }
p { max-width: 46rem; color: var(--soft) }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink) }
.tick { fill: var(--soft); font-size: 10.5px; text-anchor: middle } .left { text-anchor: start }
.inside { fill: #fff } .grid { stroke: var(--line) } .release { stroke: var(--soft) }
.deadline { stroke: var(--red); stroke-width: 1.5 }
.c0 { fill: #2f6db3 } .c1 { fill: #2c8c7a } .c2 { fill: #b0721d } .c3 { fill: #7a57b8 } .c4 { fill: #a84a78 }
.c5 { fill: #5b6b7c } .good { fill: #2c8c7a } .bad { fill: var(--red) } .open { fill: #b0721d }
.seen { fill: #fff; fill-opacity: .55 }
.node { fill: var(--paper); stroke: var(--soft) } .active { stroke: #2f6db3; stroke-width: 2 }
.call, .oneway { fill: none; stroke: var(--soft); stroke-width: 1.3 } .oneway { stroke-dasharray: 5 4 }
)";

constexpr std::size_t most_threads = 200, most_slices = 4000;

Simulation played(const Analysis& analysis) {
  SimulationOptions options;
  options.critical_instant = false;
  options.most_slices = most_slices;
  options.most_steps = 400'000;  // a hostile file takes at most a second
  Time longest{0};
  for (const Thread& each : analysis.threads) longest = std::max({longest, each.period, each.phase});
  const Time usual = 20 * longest;
  options.horizon = std::min(hyperperiod(analysis.threads).value_or(usual), usual);
  return simulate(analysis, options);
}

void section(std::string& html, std::string_view title, std::string_view words, std::string_view content) {
  html += "<h2>" + std::string(title) + "</h2>\n<p>" + escaped(words) + "</p>\n" + std::string(content);
}

}  // namespace

std::string page(const Repository& repository, const Analysis& analysis, std::string_view title,
                 std::span<const Measured> measured) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>" +
      escaped(title) + "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n<h1>" +
      escaped(title) + "</h1>\n<pre>" + escaped(report(repository, analysis)) + "</pre>\n";
  if (!measured.empty())
    section(html, "Predicted and measured",
            "Above the bound of the analysis, below the slowest job of the run and, pale, its median; the "
            "red line is "
            "the deadline.",
            measured_chart(repository, analysis, measured) + "<pre>" +
                escaped(measured_report(repository, analysis, measured)) + "</pre>\n");
  if (analysis.threads.size() <= most_threads) {
    const Simulation simulation = played(analysis);
    std::string about =
        "Simulated for " + text_of(simulation.end) +
        " from the first release, every job at its worst: " + std::to_string(simulation.releases) +
        " releases, " + std::to_string(simulation.misses) +
        " missed deadlines. Colours are priority levels, thin lines are releases, red ones deadlines "
        "before the end of a period.";
    if (!simulation.complete) about += " It ends there: there is more in it than a page plays through.";
    if (simulation.slices.size() == most_slices) about += " The picture shows the beginning.";
    section(html, "Who runs when", about, gantt_chart(repository, analysis, simulation));
    section(html, "Use of processors", "By priority level; the red line is all of a processor.",
            utilisation_chart(analysis));
    section(html, "Response times",
            "The bound of the analysis, and within it, pale, the slowest that the simulation saw; the red "
            "line is the "
            "deadline.",
            response_chart(repository, analysis, simulation));
  }
  if (repository.infos().size() <= most_threads)
    section(html, "Dependencies",
            "Callers above; dashed lines are one-way calls, which start a thread. Operations with a rate of "
            "their own "
            "are framed in blue.",
            dependency_chart(repository));
  return html + "</body>\n</html>\n";
}

}  // namespace takt::scheduling
