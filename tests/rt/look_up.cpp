// The lookup of an operation's priority, for look_up.py to count.
#include "rt_avionics_table.h"

extern "C" std::int32_t priority_of(std::int32_t handle) {
  return rt_avionics_table::priority(handle).priority;
}

// A lookup that is too expensive, which look_up.py must detect.
extern "C" std::int32_t priority_by_name(const char* name) {
  return rt_avionics_table::priority(rt_avionics_table::handle_of(name)).priority;
}
