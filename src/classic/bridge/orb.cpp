// The runtime's ORB for the classic mapping.
#include <algorithm>
#include <chrono>
#include <cstdint>

#include "classic/bridge/orb_bridge.h"
#include "classic/bridge/orb_handle.h"
#include "classic/bridge/runtime.h"

namespace takt::classic {

namespace orb {

// Runs a part of an ORB's start.
template <class Action>
auto starting(Action&& action) -> decltype(action()) {
  return translating([&] {
    try {
      return action();
    } catch (const CORBA::BAD_PARAM& failure) {
      report_start_failure(failure.what());
      throw;
    } catch (const CORBA::INITIALIZE& failure) {
      report_start_failure(failure.what());
      throw;
    }
  });
}

OrbHandle* init(int& argc, char** argv, const char* id) {
  return starting([&] { return new OrbHandle{CORBA::ORB_init(argc, argv, id ? id : "")}; });
}
void free(OrbHandle* orb) { delete orb; }
std::string id(OrbHandle& orb) {
  return translating([&] { return orb.orb->id(); });
}
Reference* string_to_object(OrbHandle& orb, const char* text) {
  return translating([&] { return refer(orb.orb->string_to_object(text)); });
}
std::string object_to_string(OrbHandle& orb, Reference* object) {
  return translating([&] { return orb.orb->object_to_string(object_of(object)); });
}
std::vector<std::string> list_initial_services(OrbHandle& orb) {
  return translating([&] { return orb.orb->list_initial_services(); });
}
Reference* resolve_initial_references(OrbHandle& orb, const char* name) {
  return starting([&] { return refer(orb.orb->resolve_initial_references(name)); });
}
void register_initial_reference(OrbHandle& orb, const char* name, Reference* object) {
  translating([&] { orb.orb->register_initial_reference(name, object_of(object)); });
}
void run(OrbHandle& orb) {
  translating([&] { orb.orb->run(); });
}
std::int64_t run_for(OrbHandle& orb, std::int64_t microseconds) {
  return translating([&]() -> std::int64_t {
    std::chrono::microseconds time(std::max<std::int64_t>(microseconds, 0));
    orb.orb->run(time);
    return std::max<std::int64_t>(time.count(), 0);
  });
}
bool work_pending(OrbHandle& orb) {
  return translating([&] { return orb.orb->work_pending(); });
}
void perform_work(OrbHandle& orb) {
  translating([&] { orb.orb->perform_work(); });
}
void shutdown(OrbHandle& orb, bool wait_for_completion) {
  translating([&] { orb.orb->shutdown(wait_for_completion); });
}
void destroy(OrbHandle& orb) {
  translating([&] { orb.orb->destroy(); });
}

}  // namespace orb

}  // namespace takt::classic
