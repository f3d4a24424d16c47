// The policy operations of CORBA::Object.
#include <takt/reference/object.h>
#include <takt/reference/policy.h>

#include "client/client.h"
#include "client/thread_channels.h"
#include "reference/context/thread_context.h"
#include "reference/object_ref.h"
#include "reference/policies/overrides.h"

namespace takt::client {

namespace {

CORBA::object_reference<CORBA::Policy> effective(const reference::ObjectRef& ref, CORBA::PolicyType type) {
  const auto of_thread = reference::ThreadContext::mine().overrides();
  for (const auto& overrides : {ref.overrides(), of_thread, ref.references()->overrides()})
    if (overrides)
      if (auto found = overrides->find(type)) return found;
  return {};
}

constexpr CORBA::PolicyType end_times[] = {28, 30};
constexpr CORBA::PolicyType client_protocol_policy = 43;  // RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE

// The policies whose deadline has already passed.
CORBA::PolicyList passed(const reference::ObjectRef& ref) {
  const reference::CallPolicies policies = ThreadChannels::mine().policies_of(ref);
  const auto now = reference::CallPolicies::Clock::now();
  CORBA::PolicyList list;
  if (policies.request_by <= now) list.push_back(effective(ref, end_times[0]));
  if (policies.reply_by <= now) list.push_back(effective(ref, end_times[1]));
  return list;
}

}  // namespace
}  // namespace takt::client

namespace CORBA {

using takt::client::ThreadChannels;
using takt::reference::Overrides;
using takt::reference::reference_of;

object_reference<Object> Object::_set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  const auto& ref = takt::reference::reference_of(*this);
  return takt::reference::make_stub<Object>(
      ref.with(takt::reference::Overrides::changed(ref.overrides(), policies, set_add)));
}

PolicyList Object::_get_policy_overrides(const PolicyTypeSeq& types) {
  return takt::reference::Overrides::select(takt::reference::reference_of(*this).overrides(), types);
}

object_reference<Policy> Object::_get_policy(PolicyType type) {
  return takt::client::effective(takt::reference::reference_of(*this), type);
}

object_reference<Policy> Object::_get_client_policy(PolicyType type) { return _get_policy(type); }

bool Object::_validate_connection(PolicyList& inconsistent) {
  auto& ref = takt::reference::reference_of(*this);
  inconsistent = takt::client::passed(ref);
  if (!inconsistent.empty()) return false;
  if (!ref.local_key().empty()) return true;
  try {
    ThreadChannels::mine().connect_all_bands(ref);
  } catch (const INV_POLICY&) {
    const auto& bands_policy = takt::client::client_of(*ref.references()).bands_policy;
    for (const auto& route : ref.target()->routes)
      if (route.server->priorities && bands_policy) {
        inconsistent.push_back(bands_policy(*route.server->priorities));
        break;
      }
    if (auto protocols = takt::client::effective(ref, takt::client::client_protocol_policy);
        protocols && inconsistent.empty())
      inconsistent.push_back(std::move(protocols));
    return false;
  }
  return true;
}

}  // namespace CORBA
