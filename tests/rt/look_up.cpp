// What a program does to look an operation's priority up, for look_up.py to count.
#include "rt_avionics_table.h"

extern "C" std::int32_t priority_of(std::int32_t handle) {
  return rt_avionics_table::priority(handle).priority;
}

// What costs more than it may.
extern "C" std::int32_t priority_by_name(const char* name) {
  return rt_avionics_table::priority(rt_avionics_table::handle_of(name)).priority;
}
