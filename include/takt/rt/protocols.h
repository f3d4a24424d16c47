// Protocol policies: which transports and messages requests use, and the settings of their sockets (module
// RTCORBA; RT-CORBA 1.0, 4.15 and 4.16). See docs/user/protocols.md for examples.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <takt/reference/local_object.h>
#include <takt/reference/messaging.h>
#include <takt/reference/policy.h>
#include <takt/standard/RTCORBAC.h>

namespace takt {

// Values of RTCORBA::Protocol::protocol_type, which are IOP::ProfileIds.
inline constexpr std::uint32_t TCP_PROTOCOL_TYPE = 0;  // IOP::TAG_INTERNET_IOP
inline constexpr std::uint32_t TLS_PROTOCOL_TYPE =
    20;  // not a profile's tag but its component's: TAG_SSL_SEC_TRANS
inline constexpr std::uint32_t UNIX_PROTOCOL_TYPE = 0x54414f00;
inline constexpr std::uint32_t SHARED_MEMORY_PROTOCOL_TYPE = 0x54414b04;  // Takt's own
inline constexpr std::uint32_t IN_PROCESS_PROTOCOL_TYPE = 0x54414b08;     // Takt's own
inline constexpr std::uint32_t UDP_PROTOCOL_TYPE = 0x54414b09;            // Takt's own

}  // namespace takt

namespace RTCORBA {

// Base of a protocol's properties. A policy copies the values when it is made.
class ProtocolProperties : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<ProtocolProperties>;
};

// Socket buffer sizes in octets, per connection and direction; 0: the ORB's options apply.
class SocketBufferProperties : public virtual ProtocolProperties {
 public:
  SocketBufferProperties(std::int32_t send, std::int32_t receive)
      : send_buffer_size_(send), recv_buffer_size_(receive) {}
  std::int32_t send_buffer_size() const { return send_buffer_size_; }
  void send_buffer_size(std::int32_t octets) { send_buffer_size_ = octets; }
  std::int32_t recv_buffer_size() const { return recv_buffer_size_; }
  void recv_buffer_size(std::int32_t octets) { recv_buffer_size_ = octets; }

 private:
  std::int32_t send_buffer_size_, recv_buffer_size_;
};

// Selects GIOP as orb_protocol_properties, overriding -ORBMessaging and -ORBCompression. It has no
// properties.
class GIOPProtocolProperties final : public virtual ProtocolProperties {
 public:
  using _ref_type = CORBA::object_reference<GIOPProtocolProperties>;
};

class TCPProtocolProperties : public SocketBufferProperties {
 public:
  using _ref_type = CORBA::object_reference<TCPProtocolProperties>;
  TCPProtocolProperties(std::int32_t send_buffer_size, std::int32_t recv_buffer_size, bool keep_alive,
                        bool dont_route, bool no_delay)
      : SocketBufferProperties(send_buffer_size, recv_buffer_size),
        keep_alive_(keep_alive),
        dont_route_(dont_route),
        no_delay_(no_delay) {}
  bool keep_alive() const { return keep_alive_; }
  void keep_alive(bool on) { keep_alive_ = on; }
  bool dont_route() const { return dont_route_; }
  void dont_route(bool on) { dont_route_ = on; }
  bool no_delay() const { return no_delay_; }
  void no_delay(bool on) { no_delay_ = on; }

 private:
  bool keep_alive_, dont_route_, no_delay_;
};

class UnixDomainProtocolProperties final : public SocketBufferProperties {
 public:
  using _ref_type = CORBA::object_reference<UnixDomainProtocolProperties>;
  using SocketBufferProperties::SocketBufferProperties;
};

// For shared memory, and within a process. The buffer sizes are those of a connection's rings, which hold
// sent data until it is read. A client allocates both, rounded up to a power of two from 4 KiB to 16 MiB.
// With a preallocate_buffer_size, all rings of a connection are allocated before its first call, and it is
// the size of rings without one. The memory has neither a name nor a lock, and no network is involved, so the
// other properties have no effect.
class SharedMemoryProtocolProperties final : public TCPProtocolProperties {
 public:
  using _ref_type = CORBA::object_reference<SharedMemoryProtocolProperties>;
  SharedMemoryProtocolProperties(std::int32_t send_buffer_size, std::int32_t recv_buffer_size,
                                 bool keep_alive, bool dont_route, bool no_delay,
                                 std::int32_t preallocate_buffer_size, std::string mmap_filename,
                                 std::string mmap_lockname)
      : TCPProtocolProperties(send_buffer_size, recv_buffer_size, keep_alive, dont_route, no_delay),
        preallocate_buffer_size_(preallocate_buffer_size),
        mmap_filename_(std::move(mmap_filename)),
        mmap_lockname_(std::move(mmap_lockname)) {}
  std::int32_t preallocate_buffer_size() const { return preallocate_buffer_size_; }
  void preallocate_buffer_size(std::int32_t octets) { preallocate_buffer_size_ = octets; }
  const std::string& mmap_filename() const { return mmap_filename_; }
  void mmap_filename(const std::string& name) { mmap_filename_ = name; }
  const std::string& mmap_lockname() const { return mmap_lockname_; }
  void mmap_lockname(const std::string& name) { mmap_lockname_ = name; }

 private:
  std::int32_t preallocate_buffer_size_;
  std::string mmap_filename_, mmap_lockname_;
};

class Protocol {
 public:
  using Properties = CORBA::object_reference<ProtocolProperties>;
  Protocol() = default;
  explicit Protocol(std::uint32_t protocol_type, Properties orb_protocol_properties = {},
                    Properties transport_protocol_properties = {})
      : protocol_type_(protocol_type),
        orb_protocol_properties_(std::move(orb_protocol_properties)),
        transport_protocol_properties_(std::move(transport_protocol_properties)) {}
  std::uint32_t protocol_type() const { return protocol_type_; }
  void protocol_type(std::uint32_t type) { protocol_type_ = type; }
  // The messaging: RTCORBA::GIOPProtocolProperties, takt::GIOPLiteProtocolProperties or
  // takt::CompressedProtocolProperties; nil: -ORBMessaging and -ORBCompression apply.
  const Properties& orb_protocol_properties() const { return orb_protocol_properties_; }
  void orb_protocol_properties(Properties properties) { orb_protocol_properties_ = std::move(properties); }
  // Nil: the ORB's options apply.
  const Properties& transport_protocol_properties() const { return transport_protocol_properties_; }
  void transport_protocol_properties(Properties properties) {
    transport_protocol_properties_ = std::move(properties);
  }

 private:
  std::uint32_t protocol_type_ = takt::TCP_PROTOCOL_TYPE;
  Properties orb_protocol_properties_, transport_protocol_properties_;
};
using ProtocolList = std::vector<Protocol>;  // in order of preference

// For create_POA: the transports in references to the adapter's objects, in order of preference. The ORB
// opens a separate port or path, until it ends, for a protocol with other properties or messaging than its
// own, or at which it does not listen. Each transport may occur once.
class ServerProtocolPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<ServerProtocolPolicy>;
  // Like RTORB::create_server_protocol_policy(), but without checking what the ORB supports.
  explicit ServerProtocolPolicy(ProtocolList protocols);
  const ProtocolList& protocols() const { return protocols_; }
  CORBA::PolicyType policy_type() override { return SERVER_PROTOCOL_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override;

 private:
  const ProtocolList protocols_;
};

// For an ORB, a thread or a reference: the transports and messaging of calls, in the order to try. No others
// are used: a call throws INV_POLICY if the object has none of them. A transport may occur once per
// messaging. Connections with different properties or messaging are not shared.
class ClientProtocolPolicy final : public takt::reference::ClientPolicy {
 public:
  using _ref_type = CORBA::object_reference<ClientProtocolPolicy>;
  explicit ClientProtocolPolicy(ProtocolList protocols);
  ~ClientProtocolPolicy() override;
  const ProtocolList& protocols() const { return protocols_; }
  CORBA::PolicyType policy_type() override { return CLIENT_PROTOCOL_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override;
  void apply_to(takt::reference::CallPolicies& policies) const override;

 private:
  struct Choices;
  const ProtocolList protocols_;
  const std::unique_ptr<const Choices> choices_;
};

}  // namespace RTCORBA

namespace takt {

// Selects GIOPlite as orb_protocol_properties. A client uses it with servers whose references offer it; a
// server, with clients that ask for it. Both ends need GIOP 1.2 without fragments; if the ORB has other
// options, RTORB's create_... functions throw BAD_PARAM.
class GIOPLiteProtocolProperties final : public virtual RTCORBA::ProtocolProperties {
 public:
  using _ref_type = CORBA::object_reference<GIOPLiteProtocolProperties>;
};

// GIOP or GIOPlite with long messages compressed, if the other end accepts that. -ORBCompressionThreshold,
// -ORBCompressionLevel and -ORBMaxExpansion apply. Both ends need GIOP 1.2 without fragments. RTORB's
// create_... functions throw BAD_PARAM if the ORB has other options, or no method of such a name.
class CompressedProtocolProperties final : public virtual RTCORBA::ProtocolProperties {
 public:
  using _ref_type = CORBA::object_reference<CompressedProtocolProperties>;
  // `inside`: what is compressed, RTCORBA::GIOPProtocolProperties or GIOPLiteProtocolProperties; nil: GIOP.
  // `methods`: comma-separated, in order of preference; empty: -ORBCompressionMethods applies.
  explicit CompressedProtocolProperties(RTCORBA::Protocol::Properties inside = {}, std::string methods = {})
      : inside_(std::move(inside)), methods_(std::move(methods)) {}
  const RTCORBA::Protocol::Properties& inside() const { return inside_; }
  const std::string& methods() const { return methods_; }

 private:
  const RTCORBA::Protocol::Properties inside_;
  const std::string methods_;
};

// Settings for a transport with its own format, such as a plug-in. RTORB's create_... functions throw
// BAD_PARAM, with the transport's text, if they are invalid.
class TransportProtocolProperties final : public virtual RTCORBA::ProtocolProperties {
 public:
  using _ref_type = CORBA::object_reference<TransportProtocolProperties>;
  explicit TransportProtocolProperties(std::string settings) : settings_(std::move(settings)) {}
  const std::string& settings() const { return settings_; }

 private:
  const std::string settings_;
};

// Properties of TCP beyond the standard, to be used instead of RTCORBA::TCPProtocolProperties, for clients
// and servers.
class SocketProperties final : public RTCORBA::TCPProtocolProperties {
 public:
  using _ref_type = CORBA::object_reference<SocketProperties>;
  // The defaults are those of an ORB without options.
  SocketProperties() : TCPProtocolProperties(0, 0, false, false, true) {}
  // Differentiated services code point, 0 to 63; -1 (the default): -ORBTrafficClass applies.
  std::int32_t traffic_class() const { return traffic_class_; }
  void traffic_class(std::int32_t dscp) { traffic_class_ = dscp; }
  // Per priority, overriding traffic_class() and priority(). A value for an RT-CORBA priority holds up to the
  // next priority with a value. The priority of a connection is its lane's, the highest of its band, or the
  // calling thread's. A server must have lanes, or an adapter that declares its priority. A code point
  // without a priority implies a matching one, 6 at most.
  using ByPriority = std::map<std::int16_t, std::int32_t>;
  const ByPriority& traffic_classes() const { return traffic_classes_; }
  void traffic_classes(ByPriority dscps) { traffic_classes_ = std::move(dscps); }
  const ByPriority& priorities() const { return priorities_; }
  void priorities(ByPriority priorities) { priorities_ = std::move(priorities); }
  // SO_PRIORITY, 0 to 15, from 7 on with CAP_NET_ADMIN; -1 (the default): -ORBSocketPriority applies.
  std::int32_t priority() const { return priority_; }
  void priority(std::int32_t priority) { priority_ = priority; }
  // How long a read polls the device, in microseconds; -1 (the default): -ORBBusyPoll applies.
  std::int32_t busy_poll() const { return busy_poll_; }
  void busy_poll(std::int32_t microseconds) { busy_poll_ = microseconds; }

 private:
  std::int32_t traffic_class_ = -1, priority_ = -1, busy_poll_ = -1;
  ByPriority traffic_classes_, priorities_;
};

}  // namespace takt
