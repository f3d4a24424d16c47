// In a file of its own, so that programs which do not call it do not link the parts.
#include "orb/parts/usual.h"

void takt::detail::add_own(Parts& parts) {
  orb::add_usual(parts);
  add_admin(parts);
  add_recorder(parts);
  add_tracing(parts);
  add_io_uring(parts);
}
