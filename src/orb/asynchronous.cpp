#include <takt/orb/asynchronous.h>

#include "async/orb_settings.h"
#include "orb/runtime/runtime.h"

namespace takt {

class AsyncAccess {
 public:
  static orb::Runtime& runtime_of(const CORBA::object_reference<CORBA::ORB>& orb) {
    if (!orb) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil ORB has no asynchronous calls");
    return *orb->runtime_;
  }
};

void use_async_settings(const CORBA::object_reference<CORBA::ORB>& orb, const AsyncSettings& settings) {
  orb::Runtime& runtime = AsyncAccess::runtime_of(orb);
  runtime.require_up();
  if (settings.most_calls == 0)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "AsyncSettings::most_calls must be at least 1");
  async::use_settings(runtime.parts().client, settings);
}

std::size_t async_calls_under_way(const CORBA::object_reference<CORBA::ORB>& orb) {
  return async::calls_under_way(AsyncAccess::runtime_of(orb).parts().client);
}

}  // namespace takt
