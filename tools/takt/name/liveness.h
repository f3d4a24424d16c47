// Whether objects answer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <takt/reference/object.h>

#include "ior/json.h"

namespace takt::command {

struct Liveness {
  bool answers = false;
  double ms = 0;      // of the call, if it answers
  std::string why{};  // if it does not
};

// Asks each object once, up to `parallel` at a time, each for as long as its ORB's timeouts allow. A nil
// reference does not answer. In the order of the objects.
std::vector<Liveness> asked(std::span<const CORBA::object_reference<CORBA::Object>> objects,
                            std::size_t parallel);

std::string shown(const Liveness& liveness);
Json json_of(const Liveness& liveness);

}  // namespace takt::command
