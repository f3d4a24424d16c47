// The object adapters of an event service, one for each interface, and the ids of their objects.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <takt/corba.h>

#include "events/channel/parts.h"
#include "omniEventsS.h"

namespace takt::events {

using PoaRef = CORBA::object_reference<PortableServer::POA>;

// A number as eight octets, the most significant first.
PortableServer::ObjectId object_id_of(std::uint64_t number);
// 0 if the octets are not a number.
std::uint64_t number_of(const PortableServer::ObjectId& octets);

// The number of an object of this adapter; 0 if it belongs to another one, or to another process.
std::uint64_t own_number(PortableServer::POA& adapter, const CORBA::object_reference<CORBA::Object>& object);

// An adapter below `root` whose default servant serves all its objects, also after a restart at the same
// address.
PoaRef make_adapter(PortableServer::POA& root, const std::string& name);

struct Adapters {
  CORBA::object_reference<PortableServer::Current> current;
  PoaRef state, factory, channels, consumer_admins, supplier_admins;
  std::array<PoaRef, 4> proxies;  // by ProxyKind

  const PoaRef& of(ProxyKind kind) const { return proxies[static_cast<std::size_t>(kind)]; }
  // The number of the object that the calling thread's request is for.
  std::uint64_t target() const { return number_of(current->get_object_id()); }
};

// Creates the adapters below the root POA. Their references stay valid after a restart at the same address.
Adapters make_adapters(CORBA::ORB& orb);

template <class Interface>
CORBA::object_reference<Interface> reference_in(PortableServer::POA& adapter, std::uint64_t number) {
  return IDL::traits<Interface>::unchecked_narrow(
      adapter.create_reference_with_id(object_id_of(number), Interface::_interface_repository_id()));
}

}  // namespace takt::events
