// takt imr: an implementation repository.
#include "imr/commands.h"

namespace takt::command {

void add_imr(const Command& program) {
  const Command imr = program.add_command(
      "imr",
      "Starts servers when they are called, and forwards their clients: an implementation repository.");
  imr.require_command();
  add_imr_list(imr);
  add_imr_owner(imr);
  add_imr_serve(imr);
  add_imr_watch(imr);
}

}  // namespace takt::command
