// Functions of CORBA::ORB for dynamic requests.
#include <takt/orb/orb.h>

#include <mutex>

#include "dynamic/request/orb_requests.h"
#include "orb/runtime/runtime.h"

namespace CORBA {

namespace {

takt::dynamic::OrbRequests& requests_of(takt::orb::Runtime& runtime) {
  runtime.require_up();
  auto& dynamic = runtime.dynamic_requests();
  std::lock_guard lock(dynamic.mutex);
  if (!dynamic.requests) dynamic.requests = std::make_shared<takt::dynamic::OrbRequests>();
  return *dynamic.requests;
}

}  // namespace

void ORB::create_list(std::uint32_t, object_reference<NVList>& list) { list = make_reference<NVList>(); }

void ORB::create_named_value(object_reference<NamedValue>& value) {
  value = make_reference<NamedValue>(Flags{0});
}

object_reference<Context> ORB::get_default_context() { return requests_of(*runtime_).default_context(); }

void ORB::send_multiple_requests_oneway(const RequestSeq& requests) {
  runtime_->require_up();
  takt::dynamic::OrbRequests::send_oneway(requests);
}

void ORB::send_multiple_requests_deferred(const RequestSeq& requests) {
  requests_of(*runtime_).send_deferred(requests);
}

bool ORB::poll_next_response() { return requests_of(*runtime_).poll_next(); }

void ORB::get_next_response(object_reference<Request>& request) {
  request = requests_of(*runtime_).get_next();
}

}  // namespace CORBA
