#include "events/service/adapters.h"

#include "adapters/adapters.h"

namespace takt::events {

PoaRef make_adapter(PortableServer::POA& root, const std::string& name) {
  return adapter_without_objects(root, name, PortableServer::LifespanPolicyValue::PERSISTENT);
}

PortableServer::ObjectId object_id_of(std::uint64_t number) {
  PortableServer::ObjectId octets;
  for (int shift = 56; shift >= 0; shift -= 8) octets.push_back(static_cast<std::uint8_t>(number >> shift));
  return octets;
}

std::uint64_t number_of(const PortableServer::ObjectId& octets) {
  if (octets.size() != sizeof(std::uint64_t)) return 0;
  std::uint64_t number = 0;
  for (const std::uint8_t octet : octets) number = number << 8 | octet;
  return number;
}

std::uint64_t own_number(PortableServer::POA& adapter, const CORBA::object_reference<CORBA::Object>& object) {
  try {
    return number_of(adapter.reference_to_id(object));
  } catch (const PortableServer::POA::WrongAdapter&) {
    return 0;
  }
}

Adapters make_adapters(CORBA::ORB& orb) {
  using namespace PortableServer;
  const auto root = IDL::traits<POA>::narrow(orb.resolve_initial_references("RootPOA"));
  return {.current = IDL::traits<Current>::narrow(orb.resolve_initial_references("POACurrent")),
          .state = make_adapter(*root, "EventServiceState"),
          .factory = make_adapter(*root, "EventChannelFactory"),
          .channels = make_adapter(*root, "EventChannels"),
          .consumer_admins = make_adapter(*root, "ConsumerAdmins"),
          .supplier_admins = make_adapter(*root, "SupplierAdmins"),
          .proxies = {make_adapter(*root, "ProxyPushConsumers"), make_adapter(*root, "ProxyPullConsumers"),
                      make_adapter(*root, "ProxyPushSuppliers"), make_adapter(*root, "ProxyPullSuppliers")}};
}

}  // namespace takt::events
