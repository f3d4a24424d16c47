// A server, and a client whose objects cannot be connected to: it publishes an address at which nothing
// listens.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include <takt/reference/messaging.h>

#include "orbs.h"
#include "raw_peer.h"

namespace feature {

inline constexpr const char* nowhere = "iiop://127.0.0.1:1";

inline CORBA::object_reference<CORBA::Policy> both() {
  return CORBA::make_reference<BiDirPolicy::BidirectionalPolicy>(BiDirPolicy::BOTH);
}

// A client that offers its connections, unless options disable that.
class Calling {
 public:
  explicit Calling(const std::string& server, const std::string& published = nowhere, bool offers = true)
      : orb(make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBPublishedEndpoints", published,
                      "-ORBRoundTripTimeout", "10s"},
                     "calling")) {
    if (offers) {
      auto manager =
          IDL::traits<CORBA::PolicyManager>::narrow(orb->resolve_initial_references("ORBPolicyManager"));
      manager->set_policy_overrides({both()}, CORBA::SetOverrideType::SET_OVERRIDE);
    }
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    servant = CORBA::make_reference<EchoServant>();
    mine = IDL::traits<Calls::Echo>::narrow(poa->id_to_reference(poa->activate_object(servant)));
    poa->the_POAManager()->activate();
    echo = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(server)->_ref());
  }
  ~Calling() {
    echo.reset();
    mine.reset();
    orb->destroy();
  }
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;

  Orb orb;
  CORBA::servant_reference<EchoServant> servant;
  EchoRef mine;  // an object of this client
  EchoRef echo;  // the server's
};

// Whether the server can call back.
inline bool calls_back(const Calling& client) {
  try {
    return client.echo->call_back(client.mine, 3) == 28;
  } catch (const CORBA::TRANSIENT&) {
    return false;
  }
}

// The data of service context 5.
inline Octets listen_points(const std::vector<std::pair<std::string, std::uint16_t>>& points) {
  Octets data{1, 0, 0, 0};
  const auto u32 = [&](std::size_t value) {
    while (data.size() % 4 != 0) data.push_back(0);
    for (int shift = 0; shift < 32; shift += 8) data.push_back(static_cast<std::uint8_t>(value >> shift));
  };
  u32(points.size());
  for (const auto& [host, port] : points) {
    u32(host.size() + 1);
    data.insert(data.end(), host.begin(), host.end());
    data.push_back(0);
    if (data.size() % 2 != 0) data.push_back(0);
    data.push_back(static_cast<std::uint8_t>(port));
    data.push_back(static_cast<std::uint8_t>(port >> 8));
  }
  return data;
}

}  // namespace feature
