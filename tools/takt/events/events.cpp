// takt events: an event service.
#include "events/commands.h"

namespace takt::command {

void add_events(const Command& program) {
  const Command events = program.add_command("events", "Serves an event service.");
  events.require_command();
  add_events_serve(events);
}

}  // namespace takt::command
