// Checks whether objects answer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <takt/reference/object.h>

#include "common/output.h"

namespace takt::command {

struct Liveness {
  bool answers = false;
  double ms = 0;      // duration of the call, if it answers
  std::string why{};  // the reason, if it does not
};

// Calls each object once, up to `parallel` at a time. A call takes up to the timeouts of the object's ORB. A
// nil reference counts as not answering. The results are in the order of the objects.
std::vector<Liveness> asked(std::span<const CORBA::object_reference<CORBA::Object>> objects,
                            std::size_t parallel);

std::string shown(const Liveness& liveness);
Json json_of(const Liveness& liveness);

}  // namespace takt::command
