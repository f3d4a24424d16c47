// The operations of CORBA::Object that are about policies.
#include <takt/connection/object.h>
#include <takt/connection/policy.h>

#include "connection/client/thread_channels.h"
#include "connection/orb_core.h"
#include "connection/policies/overrides.h"
#include "connection/references/object_ref.h"

namespace takt::connection {

namespace {

CORBA::object_reference<CORBA::Policy> effective(const ObjectRef& ref, CORBA::PolicyType type) {
  const auto of_thread = ThreadChannels::mine().overrides();
  for (const auto& overrides : {ref.overrides(), of_thread, ref.core()->overrides()})
    if (overrides)
      if (auto found = overrides->find(type)) return found;
  return {};
}

constexpr CORBA::PolicyType end_times[] = {28, 30};
constexpr CORBA::PolicyType client_protocol_policy = 43;  // RT-CORBA's

// Policies by which a call begun now would be too late.
CORBA::PolicyList passed(const ObjectRef& ref) {
  const CallPolicies policies = ThreadChannels::mine().policies_of(ref);
  const auto now = CallPolicies::Clock::now();
  CORBA::PolicyList list;
  if (policies.request_by <= now) list.push_back(effective(ref, end_times[0]));
  if (policies.reply_by <= now) list.push_back(effective(ref, end_times[1]));
  return list;
}

}  // namespace
}  // namespace takt::connection

namespace CORBA {

using takt::connection::Overrides;
using takt::connection::reference_of;
using takt::connection::ThreadChannels;

object_reference<Object> Object::_set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  const auto& ref = reference_of(*this);
  return takt::connection::make_stub<Object>(
      ref.with(Overrides::changed(ref.overrides(), policies, set_add)));
}

PolicyList Object::_get_policy_overrides(const PolicyTypeSeq& types) {
  return Overrides::select(reference_of(*this).overrides(), types);
}

object_reference<Policy> Object::_get_policy(PolicyType type) {
  return takt::connection::effective(reference_of(*this), type);
}

object_reference<Policy> Object::_get_client_policy(PolicyType type) { return _get_policy(type); }

bool Object::_validate_connection(PolicyList& inconsistent) {
  auto& ref = reference_of(*this);
  inconsistent = takt::connection::passed(ref);
  if (!inconsistent.empty()) return false;
  if (!ref.local_key().empty()) return true;
  try {
    ThreadChannels::mine().connect_fully(ref);
  } catch (const INV_POLICY&) {
    for (const auto& route : ref.target()->routes)
      if (route.server->priorities && ref.core()->bands_policy) {
        inconsistent.push_back(ref.core()->bands_policy(*route.server->priorities));
        break;
      }
    if (auto protocols = takt::connection::effective(ref, takt::connection::client_protocol_policy);
        protocols && inconsistent.empty())
      inconsistent.push_back(std::move(protocols));
    return false;
  }
  return true;
}

}  // namespace CORBA
