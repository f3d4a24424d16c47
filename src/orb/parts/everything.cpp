// In a file of its own, so that programs which do not call it do not link the parts.
#include <takt/orb/parts.h>

void takt::add_all(Parts& parts) {
  add_unix_domain(parts);
  add_shared_memory(parts);
  add_in_process(parts);
  add_udp(parts);
  add_tls(parts);
  add_groups(parts);
  add_configuration_files(parts);
  add_upkeep(parts);
  add_admin(parts);
}
