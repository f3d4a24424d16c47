// The control of a stream: binds devices, and starts and stops what it has bound.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "streams/service/end_point_servant.h"
#include "streams/service/flow_connection.h"

namespace takt::streams {

// No lock is held during calls to devices and end points, each of which has the limit `call_timeout`. Calls
// that fail with a system exception while a stream is stopped, destroyed or unbound are passed over: that
// end point has gone.
class ControlServant final : public PropertySetServant<ControlStub> {
  using Flows = AVStreams::flowSpec;
  using Quality = AVStreams::streamQoS;

 public:
  // `ended` is called once, when the whole stream is destroyed.
  ControlServant(Ref<PortableServer::POA> adapter, const Limits& limits, std::function<void()> ended = [] {});

  void set_reference(Ref<ControlStub> own) { own_ = std::move(own); }
  // The time of the last call, of which properties do not count.
  os::TimePoint last_call() const { return last_call_.load(std::memory_order_relaxed); }
  bool is_destroyed() const { return destroyed_; }
  std::vector<Ref<EndPointStub>> end_points() const;
  // Destroys the stream for a client that has left. Takes as long as one call may: end points that have not
  // been reached by then are left to their devices.
  void abandon();

  void stop(const Flows& flows) override;
  void start(const Flows& flows) override;
  void destroy(const Flows& flows) override;
  bool modify_QoS(Quality& quality, const Flows& flows) override;
  // Events have no receiver. The call says that the client is there.
  void push_event(const AVStreams::streamEvent&) override { touch(); }
  void set_FPStatus(const Flows& flows, const std::string& protocol, const CORBA::Any& settings) override;
  // An object for the flow as it is bound now. It ends with the stream.
  ObjectRef get_flow_connection(const std::string& flow) override;
  void set_flow_connection(const std::string&, ObjectRef) override { throw AVStreams::notSupported(); }
  bool bind_devs(Ref<DeviceStub> a, Ref<DeviceStub> b, Quality& quality, const Flows& flows) override;
  bool bind(Ref<EndPointAStub> a, Ref<EndPointBStub> b, Quality& quality, const Flows& flows) override;
  void unbind_dev(Ref<DeviceStub> device, const Flows& flows) override;
  void unbind_party(Ref<EndPointStub> end_point, const Flows& flows) override;
  void unbind() override;
  Ref<VirtualDeviceStub> get_related_vdev(Ref<DeviceStub> device, Ref<EndPointStub>& end_point) override;

 private:
  void touch() { last_call_.store(os::Clock::now(), std::memory_order_relaxed); }
  // Deactivates the object of a destroyed stream.
  void close();

  struct Party {
    Side side = Side::a;
    Ref<DeviceStub> device = {};  // nil: bound as an end point
    Ref<EndPointStub> end_point = {};
    Ref<VirtualDeviceStub> virtual_device = {};
    bool met = true;
    Flows groups = {};  // entries of side A for flows that go to groups
  };
  using Parties = std::vector<Party>;

  Party create(Side side, const Ref<DeviceStub>& device, Quality& quality, const Flows& flows) const;
  bool join(const Party& a, const Party& b, Quality& quality, const Flows& flows) const;
  bool add_producer(Party producer, Quality& quality, const Flows& flows);
  bool add_consumer(const Ref<DeviceStub>& device, Quality& quality, const Flows& flows);
  Flows groups_of(const Party& producer, const Flows& flows) const;
  bool attach(const Party& producer, const Party& consumer, Quality& quality, const Flows& flows) const;
  void keep(std::vector<Party> parties);
  Parties parties() const;
  // The parties of side B first, so that consumers are ready when producers start.
  Parties consumers_first() const;
  Parties take_out(const std::function<bool(const Party&)>& chosen);
  void part(const Parties& parties, const Flows& flows) const;
  void require_some(bool known) const {
    if (!known) throw AVStreams::noSuchFlow();
  }

  const Ref<PortableServer::POA> adapter_;
  const Limits limits_;
  const std::function<void()> ended_;
  Ref<ControlStub> own_;
  mutable std::mutex mutex_;  // guards parties_
  Parties parties_;
  std::map<std::string, MadeFlowConnection> flow_connections_;
  std::atomic<bool> destroyed_{false};
  std::atomic<os::TimePoint> last_call_{os::Clock::now()};
};

}  // namespace takt::streams
