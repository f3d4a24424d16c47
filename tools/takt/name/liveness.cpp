#include "name/liveness.h"

#include <chrono>
#include <cmath>
#include <cstdio>

#include "common/side_by_side.h"

namespace takt::command {
namespace {

Liveness asked(const CORBA::object_reference<CORBA::Object>& object) {
  using Clock = std::chrono::steady_clock;
  if (!object) return {.why = "the reference is nil or could not be resolved"};
  try {
    const auto begin = Clock::now();
    if (object->_non_existent()) return {.why = "the server has no such object"};
    return {.answers = true, .ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count()};
  } catch (const CORBA::SystemException& failure) {
    return {.why = failure.what()};
  }
}

}  // namespace

std::vector<Liveness> asked(std::span<const CORBA::object_reference<CORBA::Object>> objects,
                            std::size_t parallel) {
  std::vector<Liveness> answers(objects.size());
  side_by_side(objects.size(), [&](std::size_t i) { answers[i] = asked(objects[i]); }, parallel);
  return answers;
}

std::string shown(const Liveness& liveness) {
  if (!liveness.answers) return "no answer: " + liveness.why;
  char text[40];
  std::snprintf(text, sizeof text, "answers in %.1f ms", liveness.ms);
  return text;
}

Json json_of(const Liveness& liveness) {
  Json json = {{"answers", liveness.answers}};
  if (liveness.answers)
    json["ms"] = std::round(liveness.ms * 1000) / 1000;
  else
    json["why"] = liveness.why;
  return json;
}

}  // namespace takt::command
