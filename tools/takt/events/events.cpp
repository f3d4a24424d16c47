// takt events: an event service.
#include "events/commands.h"

namespace takt::command {

void add_events(const Command& program) {
  const Command events = program.add_command("events",
                                             "Serves an event service or a real-time event channel, and "
                                             "shows the channels, their clients and what passes.");
  events.require_command();
  add_events_list(events);
  add_events_rt(events);
  add_events_serve(events);
  add_events_watch(events);
}

}  // namespace takt::command
