// In a file of its own, so that programs that choose their parts link only those.
#include "orb/parts/usual.h"

void takt::orb::add_usual(Parts& parts) {
  add_unix_domain(parts);
  add_shared_memory(parts);
  add_in_process(parts);
  add_local_roads(parts);
  add_udp(parts);
  add_tls(parts);
  add_groups(parts);
  add_configuration_files(parts);
  add_upkeep(parts);
}
