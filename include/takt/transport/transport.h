// The interface of a transport, which carries octets between processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/append_only_list.h>
#include <takt/base/expected.h>
#include <takt/transport/acceptor.h>
#include <takt/transport/connector.h>
#include <takt/transport/endpoint.h>

namespace takt::transport {

// The form of endpoints in object references. Profiles with this tag (IOP::ProfileId; CORBA 3.0.3, 13.6.2)
// hold a version, the host, the port if `has_port`, and the object key. RT-CORBA's protocol policies identify
// a transport by the tag.
struct ProfileForm {
  std::uint32_t tag = 0;
  bool has_port = true;
  bool component = false;  // `tag` is a component of IIOP profiles; it holds the port, the profile the host
  // Together with machine_protocol: endpoints are valid in one process only.
  bool one_process = false;
  // Not 0: endpoints are valid on one machine only, until it reboots, and for clients with this version of
  // the transport's own protocol.
  std::uint32_t machine_protocol = 0;
};

using ListenResult = Expected<std::unique_ptr<Acceptor>, ListenError>;
using EndpointResult = Expected<Endpoint, std::string>;

// All functions may be called from any thread. Lives as long as the ORB.
class Transport : public Connector {
 public:
  // The name before the first colon of an endpoint, such as "iiop". Lower-case letters and digits.
  virtual std::string_view name() const = 0;
  virtual ProfileForm profile_form() const = 0;

  // Whether it can carry bidirectional GIOP: whatever either end sends arrives, or the connection ends,
  // regardless of which end is waiting.
  virtual bool supports_bidirectional() const { return true; }

  // Parses an endpoint as users write it, without the name and its colon: "//host:port". The error states the
  // correct form.
  virtual EndpointResult parse(std::string_view address) const = 0;
  // Whether clients can connect to the endpoint as it stands: it has no wildcard and no part for the system
  // to choose.
  virtual bool is_definite(const Endpoint& endpoint) const = 0;
  // An endpoint for a further listener that must not collide with one at `configured`, such as a thread pool
  // lane's.
  virtual Endpoint beside(const Endpoint& configured) const = 0;

  // Validates transport-specific settings of a policy (StreamOptions::settings). Returns what is wrong, or an
  // empty text. Valid settings can still fail later, in connect() or listen().
  virtual std::string validate(std::string_view settings) const {
    return settings.empty() ? "" : "it has no settings of its own";
  }

  // Binds and listens. The system chooses what `on` leaves open.
  virtual ListenResult listen(const Endpoint& on, const ListenOptions& options) = 0;
  // The endpoints by which clients reach a listener bound to `bound`. Never empty; each is definite.
  virtual std::vector<Endpoint> published(const Endpoint& bound) const { return {bound}; }
};

// The transports of one ORB. Filled by explicit calls where the ORB is put together, and when a plug-in is
// loaded at run time; nothing is ever removed. Any thread may search it without a lock.
class TransportRegistry {
 public:
  static constexpr std::size_t most = 64;

  // False, and `transport` is destroyed, if its name or profile tag is taken or the registry is full. One
  // thread at a time.
  bool add(std::unique_ptr<Transport> transport);
  // Null if there is none.
  Transport* find(std::string_view name) const;
  Transport* find_by_profile(std::uint32_t tag) const;
  // In the order in which they were added.
  std::span<const std::unique_ptr<Transport>> all() const { return transports_.all(); }

 private:
  AppendOnlyList<Transport, most> transports_;
};

}  // namespace takt::transport
