#include "connection/groups/groups.h"

#include "orb/parts/parts.h"

void takt::add_groups(Parts& parts) {
  parts.make_groups = [](connection::OrbCore& core, std::function<void()> begin_thread) {
    return std::make_shared<connection::Groups>(core, std::move(begin_thread));
  };
}
