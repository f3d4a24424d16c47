#include "admin/admin.h"
#include "orb/parts/parts.h"

void takt::add_admin(Parts& parts) {
  parts.begin_admin = [](orb::Runtime& runtime) { return std::make_shared<admin::Admin>(runtime); };
}
