// takt notify: a notification service.
#include "notify/commands.h"

namespace takt::command {

void add_notify(const Command& program) {
  const Command notify = program.add_command(
      "notify", "Serves a notification service, and shows the channels, their clients and what passes.");
  notify.require_command();
  add_notify_list(notify);
  add_notify_serve(notify);
  add_notify_watch(notify);
}

}  // namespace takt::command
