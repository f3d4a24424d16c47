// The figures of a proxy and its client, and their form in the state of a service.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <takt/corba.h>

namespace takt::events {

struct ClientFigures {
  bool connected = false;
  bool suspect = false;      // the client did not answer the last call
  std::string client{};      // the client's reference; empty: nil, or none
  std::uint64_t events = 0;  // delivered to the client, or received from it
  std::uint64_t pending = 0, discarded = 0;
  std::uint64_t failures = 0;  // calls whose events may not have arrived
};

// The host and port of a client, and the type of its object. `client` is a reference.
struct ClientPlace {
  std::string address, type_id;
};
ClientPlace place_of(const std::string& client, CORBA::ORB& orb);

// Puts them into a Client of Takt_Events.idl or Takt_Notification.idl.
template <class Client>
void show(const ClientFigures& figures, Client& client, CORBA::ORB& orb) {
  client.connected(figures.connected);
  client.answers(!figures.suspect);
  if (!figures.client.empty()) {
    ClientPlace place = place_of(figures.client, orb);
    client.address(std::move(place.address));
    client.type_id(std::move(place.type_id));
  }
  client.events(figures.events);
  client.pending(figures.pending);
  client.discarded(figures.discarded);
  client.failures(figures.failures);
}

}  // namespace takt::events
