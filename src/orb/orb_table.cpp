#include "orb/orb_table.h"

#include <cstdlib>
#include <map>
#include <mutex>

#include "orb/config/read_settings.h"
#include "orb/runtime.h"

namespace takt::orb {

namespace {

struct OrbTable {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<CORBA::ORB>> orbs;
};
// Never destroyed: an ORB that nobody destroyed still serves while the process ends.
OrbTable& table() {
  static auto* orbs = new OrbTable;
  return *orbs;
}

std::shared_ptr<CORBA::ORB> make_orb(const Settings& settings) {
  auto runtime = std::make_unique<Runtime>(settings);
  Runtime& wired = *runtime;
  auto orb = std::make_shared<CORBA::ORB>(std::move(runtime));
  wired.parts().orb = [weak = std::weak_ptr(orb)] {
    return CORBA::object_reference<CORBA::ORB>(weak.lock());
  };
  wired.apply_options();
  return orb;
}

}  // namespace

void forget_orb(const CORBA::ORB& orb) {
  std::shared_ptr<CORBA::ORB> last;  // goes without the lock
  std::lock_guard lock(table().mutex);
  for (auto it = table().orbs.begin(); it != table().orbs.end(); ++it) {
    if (it->second.get() != &orb) continue;
    last = std::move(it->second);
    table().orbs.erase(it);
    return;
  }
}

}  // namespace takt::orb

CORBA::object_reference<CORBA::ORB> CORBA::ORB_init(int& argc, char* argv[], const std::string& orb_id) {
  auto settings =
      takt::orb::read_settings(argc, argv, [](const std::string& name) { return std::getenv(name.c_str()); });
  if (!orb_id.empty()) settings.id = orb_id;
  auto& table = takt::orb::table();
  std::lock_guard lock(table.mutex);
  auto& orb = table.orbs[settings.id];
  try {
    if (!orb) orb = takt::orb::make_orb(settings);
  } catch (...) {
    table.orbs.erase(settings.id);
    throw;
  }
  return CORBA::object_reference<CORBA::ORB>(orb);
}
