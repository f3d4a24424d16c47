// A flow from one producer to consumers as a CORBA object, for the full profile.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "streams/service/flow_end_point.h"

namespace takt::streams {

// No lock is held during calls to end points, each of which has the limit `call_timeout`. End points that do
// not answer while the flow is stopped or destroyed are passed over.
class FlowConnectionServant final : public PropertySetServant<FlowConnectionStub> {
  using Quality = AVStreams::QoS;
  using EndPointRef = Ref<FlowEndPointStub>;
  using ProducerRef = Ref<FlowProducerStub>;
  using ConsumerRef = Ref<FlowConsumerStub>;
  using DeviceRef = Ref<AVStreams::FDev>;

 public:
  FlowConnectionServant(Ref<PortableServer::POA> adapter, const Limits& limits)
      : PropertySetServant(limits, adapter), adapter_(std::move(adapter)), limits_(limits) {}

  void set_reference(Ref<FlowConnectionStub> own) { own_ = std::move(own); }
  bool is_destroyed() const { return destroyed_; }
  // The consumers, and the producer if there is one.
  std::vector<EndPointRef> all() const;
  // Takes end points that are connected already.
  void hold(const ProducerRef& producer, const std::vector<ConsumerRef>& consumers);

  void stop() override;
  void start() override;
  // Destroys the end points and this object.
  void destroy() override;
  bool modify_QoS(Quality& quality) override;
  bool use_flow_protocol(const std::string& name, const CORBA::Any& settings) override;
  void push_event(const AVStreams::streamEvent&) override {}
  bool connect_devs(DeviceRef a, DeviceRef b, Quality& quality) override;
  bool connect(ProducerRef producer, ConsumerRef consumer, Quality& quality) override;
  // Destroys the end points. False if there are none.
  bool disconnect() override;
  // False if a consumer that was there already could not be connected, and has left.
  bool add_producer(ProducerRef producer, Quality& quality) override;
  // False if it could not be connected. Before there is a producer it waits for that.
  bool add_consumer(ConsumerRef consumer, Quality& quality) override;
  // Destroys the end point.
  bool drop(EndPointRef target) override;

 private:
  ProducerRef producer() const;
  // Makes each the peer of the other.
  void introduce(const ProducerRef& producer, const ConsumerRef& consumer, Quality& quality) const;
  // Introduces and connects them: by the producer's group or, if that fails, by an address of the consumer.
  // False if they cannot be connected.
  bool try_link(const ProducerRef& producer, const ConsumerRef& consumer, Quality& quality) const;
  void keep(const ConsumerRef& consumer);
  void require_room(const ConsumerRef& consumer) const;
  // False if there is a producer by now.
  bool keep(const ProducerRef& producer, const ConsumerRef& consumer);
  bool forget(const EndPointRef& target);

  const Ref<PortableServer::POA> adapter_;
  const Limits limits_;
  Ref<FlowConnectionStub> own_;
  mutable std::mutex mutex_;  // guards what follows
  ProducerRef producer_;
  std::vector<ConsumerRef> consumers_;
  std::atomic<bool> destroyed_{false};
};

struct MadeFlowConnection {
  CORBA::servant_reference<FlowConnectionServant> servant;
  Ref<FlowConnectionStub> reference;
};
MadeFlowConnection make_flow_connection(const Ref<PortableServer::POA>& adapter, const Limits& limits);

}  // namespace takt::streams
