#include "stream/page.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "common/output.h"
#include "scheduling/output/svg.h"
#include "stream/flow_json.h"

namespace takt::command {
namespace {

using scheduling::escaped;
using scheduling::Svg;
using Takt::Streams::Flow;

constexpr double left = 96, right = 12, chart_height = 84, gap = 34;

// Text has a contrast of at least 4.5 : 1 with its background, in light and in dark.
constexpr std::string_view flow_style = R"(
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --soft: #586173; --line: #dde1e8; --red: #c62f3b; --blue: #2f6db3 }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --paper: #14181f; --soft: #9aa3b2; --line: #2b323d; --red: #f0707a; --blue: #7fb2ee } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 62rem; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem } h1, h2, p { overflow-wrap: anywhere } p { color: var(--soft) }
.chart { overflow-x: auto } svg { width: 100%; min-width: 820px; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink) }
.soft { fill: var(--soft) } .grid { stroke: var(--line) } .bad { fill: var(--red) } .frames { fill: var(--blue) }
.jitter { fill: none; stroke: var(--blue); stroke-width: 1.5 }
@media print { body { margin: 0; max-width: none; print-color-adjust: exact; -webkit-print-color-adjust: exact } svg { min-width: 0 } }
)";

// The counts of one flow between two samples.
struct Interval {
  double from_s, to_s;
  Flow flow;
};
using Intervals = std::vector<Interval>;

const Flow* flow_like(const Flow& wanted, const Takt::Streams::State& state) {
  const auto found = std::ranges::find_if(state.flows(), [&wanted](const Flow& each) {
    return each.end_point() == wanted.end_point() && each.name() == wanted.name();
  });
  return found == state.flows().end() ? nullptr : &*found;
}

// The flow before it began, with all counts at 0. A flow that a later sample has first began meanwhile.
Flow before_begin(Flow flow) { return passed_since(flow, flow); }

Intervals intervals_of(const Flow& flow, const std::vector<FlowSample>& samples) {
  Intervals all;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const Flow* const before = flow_like(flow, samples[i - 1].state);
    const Flow* const now = flow_like(flow, samples[i].state);
    const std::chrono::duration<double> from = samples[i - 1].at, to = samples[i].at;
    if (now && to > from)
      all.push_back({from.count(), to.count(), passed_since(before ? *before : before_begin(*now), *now)});
  }
  return all;
}

std::string short_number(double value) {
  std::string text = Svg::number(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

class FlowDrawing {
 public:
  FlowDrawing(const Intervals& intervals, double length_s) : intervals_(intervals), length_s_(length_s) {}

  void bars(const std::string& name, std::string_view type, const std::string& unit,
            const std::function<double(const Interval&)>& value) {
    const double most = begin_chart(name, value, unit);
    for (const Interval& each : intervals_) {
      const double high = chart_height * value(each) / most;
      if (high <= 0) continue;
      svg_.rectangle(x_of(each.from_s), bottom_ - high,
                     std::max(x_of(each.to_s) - x_of(each.from_s) - 0.5, 0.5), high, type,
                     short_number(value(each)) + " " + unit);
    }
  }
  void line(const std::string& name, const std::string& unit,
            const std::function<double(const Interval&)>& value) {
    const double most = begin_chart(name, value, unit);
    std::string path;
    for (const Interval& each : intervals_)
      path += (path.empty() ? "M" : "L") + Svg::number(x_of(each.to_s)) + " " +
              Svg::number(bottom_ - chart_height * value(each) / most);
    if (!path.empty()) svg_.path(path, "jitter");
  }
  std::string done(const std::string& label) {
    svg_.text(left, bottom_ + 16, "0 s", "soft");
    svg_.text(Svg::width - right - 40, bottom_ + 16, short_number(length_s_) + " s", "soft");
    return svg_.done(label);
  }

 private:
  // Returns the value at the chart's top.
  double begin_chart(const std::string& name, const std::function<double(const Interval&)>& value,
                     const std::string& unit) {
    double most = 0;
    for (const Interval& each : intervals_) most = std::max(most, value(each));
    bottom_ += gap + chart_height;
    svg_.text(0, bottom_ - chart_height - 8, name);
    svg_.text(0, bottom_ - chart_height + 10, short_number(most) + " " + unit, "soft");
    svg_.text(0, bottom_, "0", "soft");
    for (const double y : {bottom_ - chart_height, bottom_})
      svg_.line(left, y, Svg::width - right, y, "grid");
    return most > 0 ? most : 1;
  }
  double x_of(double at_s) const { return left + (Svg::width - left - right) * at_s / length_s_; }

  const Intervals& intervals_;
  const double length_s_;
  Svg svg_;
  double bottom_ = 0;
};

std::string summary_of(const Flow& all) {
  return (all.produces() ? "Produced, " : "Consumed, ") + escape_non_ascii(all.carrier()) + ": " +
         std::to_string(all.frames()) + " frames, " + std::to_string(all.octets()) + " octets, " +
         std::to_string(all.lost()) + (all.produces() ? " frames" : " packets") + " lost, " +
         std::to_string(all.incomplete()) + " frames incomplete, " + std::to_string(all.late()) + " late.";
}

std::string section_of(const Flow& first, const std::vector<FlowSample>& samples, double length_s) {
  const Intervals intervals = intervals_of(first, samples);
  const Flow* const last = flow_like(first, samples.back().state);
  std::string html = "<h2>Flow " + escaped(escape_non_ascii(first.name())) + ", end point " +
                     escaped(escape_non_ascii(first.end_point())) + "</h2>\n";
  if (last) html += "<p>" + escaped(summary_of(passed_since(first, *last))) + "</p>\n";
  FlowDrawing drawing(intervals, length_s);
  drawing.bars("Frames", "frames", "a second", [](const Interval& each) {
    return static_cast<double>(each.flow.frames()) / (each.to_s - each.from_s);
  });
  drawing.bars("Lost, late and incomplete", "bad", "in the interval", [](const Interval& each) {
    return static_cast<double>(each.flow.lost() + each.flow.late() + each.flow.incomplete());
  });
  drawing.line("Jitter", "us",
               [](const Interval& each) { return static_cast<double>(each.flow.jitter_ns()) / 1000; });
  return html + drawing.done("frames, losses and jitter of flow " + escape_non_ascii(first.name()));
}

// Each flow as it was in the first sample, or before it began.
std::vector<Flow> all_flows(const std::vector<FlowSample>& samples) {
  std::vector<Flow> flows;
  for (const FlowSample& sample : samples)
    for (const Flow& each : sample.state.flows())
      if (std::ranges::none_of(flows, [&each](const Flow& known) {
            return known.end_point() == each.end_point() && known.name() == each.name();
          }))
        flows.push_back(&sample == &samples.front() ? each : before_begin(each));
  return flows;
}

}  // namespace

std::string html_of_flows(const std::vector<FlowSample>& samples, const std::string& service) {
  const double length_s =
      samples.empty() ? 1 : std::max(std::chrono::duration<double>(samples.back().at).count(), 0.001);
  const std::vector<Flow> flows = all_flows(samples);
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>Flows of " +
      escaped(escape_non_ascii(service)) + "</title>\n<style>" + std::string(flow_style) +
      "</style></head>\n<body>\n<h1>Flows of " + escaped(escape_non_ascii(service)) + "</h1>\n<p>" +
      std::to_string(flows.size()) + (flows.size() == 1 ? " flow, " : " flows, ") + short_number(length_s) +
      " s, " + std::to_string(samples.size()) + " samples.</p>\n";
  for (const Flow& each : flows) html += section_of(each, samples, length_s);
  return html + "</body></html>\n";
}

}  // namespace takt::command
