// One way to carry octets between processes, as the ORB sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/expected.h>
#include <takt/base/growing_list.h>
#include <takt/transport/acceptor.h>
#include <takt/transport/connector.h>
#include <takt/transport/endpoint.h>

namespace takt::transport {

// How endpoints are written into object references: profiles of this tag hold a version, the host, the port
// if `has_port`, and the object's key (IOP::ProfileId; CORBA 3.0.3, 13.6.2). RT-CORBA's protocol policies
// name transports by it.
struct ProfileForm {
  std::uint32_t tag = 0;
  bool has_port = true;
  bool component = false;  // `tag` is of a component of IIOP profiles, which has the port for their host
  // With machine_protocol: endpoints mean something in one process alone.
  bool one_process = false;
  // Not 0: endpoints mean something on one machine alone, and until it starts anew, for clients with this
  // version of the transport's own protocol.
  std::uint32_t machine_protocol = 0;
};

using ListenResult = Expected<std::unique_ptr<Acceptor>, ListenError>;
using EndpointResult = Expected<Endpoint, std::string>;

// Any thread, all functions. Lives as long as the ORB.
class Transport : public Connector {
 public:
  // In endpoints, before the first colon: "iiop". Lower-case letters and digits.
  virtual std::string_view name() const = 0;
  virtual ProfileForm profile_form() const = 0;

  // Whether servers can make calls by their clients' connections (bidirectional GIOP): what either end sends
  // arrives, or the connection ends, whoever waits for what.
  virtual bool calls_both_ways() const { return true; }

  // An endpoint as users write it, without the name and its colon: "//host:port". The error says what would
  // have been right.
  virtual EndpointResult parse(std::string_view address) const = 0;
  // Whether clients can connect to it as it stands: it is no wildcard and does not leave the choice to the
  // system.
  virtual bool is_definite(const Endpoint& endpoint) const = 0;
  // Where a listener goes that must not take the place of one at `configured`: a thread pool's lane.
  virtual Endpoint beside(const Endpoint& configured) const = 0;

  // What is wrong with settings of its own that a policy has for connections (StreamOptions::settings);
  // empty: nothing. What is right now may be wrong when they are used: then connect() and listen() fail.
  virtual std::string wrong_with(std::string_view settings) const {
    return settings.empty() ? "" : "it has no settings of its own";
  }

  // Binds and listens. What `on` leaves open, the system chooses.
  virtual ListenResult listen(const Endpoint& on, const ListenOptions& options) = 0;
  // Under which endpoints clients reach a listener bound to `bound`; never empty, each definite.
  virtual std::vector<Endpoint> published(const Endpoint& bound) const { return {bound}; }
};

// The transports of one ORB. Filled by explicit calls where the ORB is put together, and by what adds
// plug-ins while it runs; none ever leaves. Any thread may look, without a lock.
class TransportRegistry {
 public:
  static constexpr std::size_t most = 64;

  // False, and it is not taken, if there is one of its name or profile tag, or no room for one more. One
  // thread at a time.
  bool add(std::unique_ptr<Transport> transport);
  // Null: there is none.
  Transport* find(std::string_view name) const;
  Transport* find_by_profile(std::uint32_t tag) const;
  // In the order they came.
  std::span<const std::unique_ptr<Transport>> all() const { return transports_.all(); }

 private:
  GrowingList<Transport, most> transports_;
};

}  // namespace takt::transport
