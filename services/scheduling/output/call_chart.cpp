#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "schedulability/model/checked.h"
#include "schedulability/model/words.h"
#include "scheduling/output/charts.h"
#include "scheduling/output/columns.h"
#include "scheduling/output/svg.h"

namespace takt::scheduling {
namespace {

// Boxes are in lines. Between two lines, and left of all boxes, there is room for calls that lead around
// boxes.
constexpr double left_edge = 8, right_edge = Svg::width - 8, high = 50, beside = 8, gap = 18, below = 46,
                 gutter = 3;

// "A::B::" and "c" of "A::B::c".
std::pair<std::string, std::string> scope_and_name(const std::string& full) {
  const auto end = full.rfind("::");
  if (end == std::string::npos) return {"", full};
  return {full.substr(0, end + 2), full.substr(end + 2)};
}

std::string times_of(const RtInfo& info) {
  return text_of(info.worstcase_execution_time) +
         (info.period > Time(0) ? " of " + text_of(info.period) : ", passive");
}

constexpr double letter = 7.2;

// Wide enough for what is in the box, within the drawing.
double width_for(const RtInfo& info) {
  constexpr double least = 150;
  const auto [scope, name] = scope_and_name(info.entry_point);
  const std::size_t longest = std::max({characters_of(scope), characters_of(name), times_of(info).size()});
  return std::clamp(12 + letter * static_cast<double>(longest), least, right_edge - left_edge);
}

// Cut to the width, between two characters.
std::string fitted(std::string text, double wide) {
  const auto most = static_cast<std::size_t>(wide / letter);
  if (characters_of(text) <= most) return text;
  while (characters_of(text) > most - 3) text.pop_back();
  return text + "...";
}

struct Box {
  double x = 0, y = 0, wide = 0;
  std::size_t line = 0;
  double middle() const { return x + wide / 2; }
};

// Each operation is in a row below its lowest caller.
std::vector<std::vector<Handle>> rows_by_caller(const Repository& repository,
                                                const std::vector<Handle>& order) {
  std::vector<std::size_t> depth(order.size(), 0);
  std::vector<std::vector<Handle>> rows;
  for (const Handle handle : order) {
    const std::size_t own = depth[index_of(handle)];
    if (own >= rows.size()) rows.resize(own + 1);
    rows[own].push_back(handle);
    for (const DependencyInfo& call : repository[handle].dependencies) {
      std::size_t& theirs = depth[static_cast<std::size_t>(call.rt_info) - 1];
      theirs = std::max(theirs, own + 1);
    }
  }
  return rows;
}

// A row that is too long goes on in a further line.
std::vector<Box> boxes_of(const Repository& repository, const std::vector<std::vector<Handle>>& rows,
                          std::size_t count) {
  std::vector<Box> boxes(count);
  double x = left_edge, y = 8;
  std::size_t line = 0;
  for (const auto& row : rows) {
    for (const Handle handle : row) {
      const double wide = width_for(repository[handle]);
      if (x > left_edge && x + wide > right_edge) {
        x = left_edge;
        y += high + gap;
        ++line;
      }
      boxes[index_of(handle)] = {.x = x, .y = y, .wide = wide, .line = line};
      x += wide + beside;
    }
    x = left_edge;
    y += high + below;
    ++line;
  }
  return boxes;
}

std::string number(double value) { return Svg::number(value); }

// Straight down to the next line, or around the boxes between the two.
void draw_call(Svg& svg, const Box& caller, const Box& callee, const DependencyInfo& call,
               const std::string& title) {
  const double x1 = caller.middle(), y1 = caller.y + high, x2 = callee.middle(), y2 = callee.y;
  const char* const type = call.type == DependencyType::one_way ? "oneway" : "call";
  const std::string times =
      call.number_of_calls > 1 ? std::to_string(call.number_of_calls) + " x" : std::string();
  if (callee.line == caller.line + 1) {
    svg.path("M" + number(x1) + " " + number(y1) + " C" + number(x1) + " " + number(y1 + below / 2) + " " +
                 number(x2) + " " + number(y2 - below / 2) + " " + number(x2) + " " + number(y2),
             type, title);
    if (!times.empty()) svg.text((x1 + x2) / 2 + 16, (y1 + y2) / 2 + 4, times, "tick");
    return;
  }
  const double first = y1 + gap / 2, last = y2 - gap / 2;
  svg.path("M" + number(x1) + " " + number(y1) + " V" + number(first) + " H" + number(gutter) + " V" +
               number(last) + " H" + number(x2) + " V" + number(y2),
           type, title);
  if (!times.empty()) svg.text(x2 + 16, y2 - 4, times, "tick");
}

// "B::b one way, 2 x".
std::string in_words(const Repository& repository, const DependencyInfo& call) {
  return repository[call.rt_info].entry_point +
         (call.type == DependencyType::one_way ? " one way" : std::string()) +
         (call.number_of_calls > 1 ? ", " + std::to_string(call.number_of_calls) + " x" : std::string());
}

}  // namespace

std::string calls_in_words(const Repository& repository) {
  std::string text;
  for (const RtInfo& info : repository.infos()) {
    std::string callees;
    for (const DependencyInfo& call : info.dependencies)
      callees += (callees.empty() ? "" : "; ") + in_words(repository, call);
    if (!callees.empty()) text += info.entry_point + " calls " + callees + "\n";
  }
  return text;
}

std::string dependency_chart(const Repository& repository) {
  Svg svg;
  const auto order = callers_first(repository);
  if (!order) return svg.done("No graph");
  const std::vector<Box> boxes = boxes_of(repository, rows_by_caller(repository, *order), order->size());
  for (const RtInfo& info : repository.infos())
    for (const DependencyInfo& call : info.dependencies)
      draw_call(svg, boxes[index_of(info.handle)], boxes[static_cast<std::size_t>(call.rt_info) - 1], call,
                info.entry_point + " calls " + in_words(repository, call));
  for (const RtInfo& info : repository.infos()) {
    const Box& box = boxes[index_of(info.handle)];
    const auto [scope, name] = scope_and_name(info.entry_point);
    svg.rectangle(box.x, box.y, box.wide, high, info.period > Time(0) ? "node active" : "node",
                  info.entry_point + ": " + times_of(info));
    // Two lines stand in the middle of a box for three.
    const double first = box.y + (scope.empty() ? 6.5 : 14);
    if (!scope.empty()) svg.text(box.x + 6, first, fitted(scope, box.wide), "tick left");
    svg.text(box.x + 6, first + 15, fitted(name, box.wide));
    svg.text(box.x + 6, first + 30, times_of(info), "tick left");
  }
  return svg.done("Who calls whom");
}

}  // namespace takt::scheduling
