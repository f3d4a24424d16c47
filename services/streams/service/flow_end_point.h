// One flow of an end point as a CORBA object, for the full profile.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "streams/service/end_point.h"
#include "streams/service/property_set.h"

namespace takt::streams {

// Inside the servants, the interfaces' names mean their base classes.
using FlowEndPointStub = AVStreams::FlowEndPoint;
using FlowConnectionStub = AVStreams::FlowConnection;
using FlowProducerStub = AVStreams::FlowProducer;
using FlowConsumerStub = AVStreams::FlowConsumer;
using RelatedEndPointStub = AVStreams::StreamEndPoint;

// The common part of producers and consumers. Thread-safe.
template <class Interface>
class FlowEndPointServant : public PropertySetServant<Interface> {
 public:
  bool lock() override { return !locked_.exchange(true); }
  void unlock() override { locked_ = false; }
  void stop() override { end_point_->stop({flow_}); }
  void start() override { end_point_->start({flow_}); }
  // One that was made by itself ends with its end point; a flow of a stream leaves that.
  void destroy() override;
  Ref<RelatedEndPointStub> related_sep() override {
    return related([this] { return related_end_point_; });
  }
  void related_sep(Ref<RelatedEndPointStub> end_point) override {
    related([&] { return related_end_point_ = std::move(end_point); });
  }
  Ref<FlowConnectionStub> related_flow_connection() override {
    return related([this] { return connection_; });
  }
  void related_flow_connection(Ref<FlowConnectionStub> connection) override {
    related([&] { return connection_ = std::move(connection); });
  }
  Ref<FlowEndPointStub> get_connected_fep() override;
  bool use_flow_protocol(const std::string& name, const CORBA::Any&) override {
    if (!name.empty() && name != own_protocol) throw AVStreams::FPError(flow_);
    return true;
  }
  void set_format(const std::string& format) override {
    if (!end_point_->has_format(flow_, format)) throw AVStreams::notSupported();
  }
  void set_dev_params(const CosPropertyService::Properties& params) override;
  void set_protocol_restriction(const AVStreams::protocolSpec& allowed) override {
    if (!end_point_->restrict_carriers(allowed)) throw AVStreams::notSupported();
  }
  // By the properties "Format" and "Carriers", which each of Takt's flow end points has.
  bool is_fep_compatible(Ref<FlowEndPointStub> other) override;
  bool set_peer(Ref<FlowConnectionStub> connection, Ref<FlowEndPointStub> peer,
                AVStreams::QoS& quality) override;
  bool set_Mcast_peer(Ref<FlowConnectionStub> connection, Ref<AVStreams::MCastConfigIf>,
                      AVStreams::QoS& quality) override {
    return set_peer(std::move(connection), nullptr, quality);
  }

 protected:
  FlowEndPointServant(std::shared_ptr<EndPoint> end_point, const FlowOffer& offer, Parts& parts);

  Ref<FlowEndPointStub> peer() {
    return related([this] { return peer_; });
  }
  // Runs `action` with the quality of the flow alone, and hands back what it has changed.
  template <class Action>
  auto with_quality(AVStreams::QoS& quality, const Action& action) {
    AVStreams::streamQoS all{{flow_, quality.QoSParams()}};
    auto result = action(all);
    quality.QoSParams(all.front().QoSParams());
    return result;
  }
  FlowEntry entry_of(const std::string& address, const std::string& protocol) const;

  const std::shared_ptr<EndPoint> end_point_;
  const std::string flow_;
  Parts& parts_;

 private:
  template <class Action>
  auto related(const Action& action) {
    const std::lock_guard guard(mutex_);
    return action();
  }

  std::atomic<bool> locked_{false};
  std::mutex mutex_;  // guards what follows
  Ref<RelatedEndPointStub> related_end_point_;
  Ref<FlowConnectionStub> connection_;
  Ref<FlowEndPointStub> peer_;
};

class FlowProducerServant final : public FlowEndPointServant<FlowProducerStub> {
 public:
  FlowProducerServant(std::shared_ptr<EndPoint> end_point, const FlowOffer& offer, Parts& parts)
      : FlowEndPointServant(std::move(end_point), offer, parts) {}

  // Frames go to the address only if the peer that was set is there.
  bool connect_to_peer(AVStreams::QoS& quality, const std::string& address,
                       const std::string& protocol) override;
  std::string go_to_listen(AVStreams::QoS&, bool, Ref<FlowEndPointStub>, std::string&) override {
    throw AVStreams::failedToListen("a producer connects: connect_to_peer()");
  }
  // Sends to the flow's group, and answers its address with the protocol that its consumers need.
  std::string connect_mcast(AVStreams::QoS& quality, bool& met, const std::string& address,
                            const std::string& protocol) override;
  // Nothing comes back from consumers.
  std::string get_rev_channel(const std::string&) override { return {}; }
  void set_key(const AVStreams::key&) override {
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "encryption by keys; the carrier TLS encrypts");
  }
  void set_source_id(std::int32_t) override {
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "sources with numbers of the client's");
  }
};

class FlowConsumerServant final : public FlowEndPointServant<FlowConsumerStub> {
 public:
  FlowConsumerServant(std::shared_ptr<EndPoint> end_point, const FlowOffer& offer, Parts& parts)
      : FlowEndPointServant(std::move(end_point), offer, parts) {}

  // Joins the group at the address.
  bool connect_to_peer(AVStreams::QoS& quality, const std::string& address,
                       const std::string& protocol) override;
  std::string go_to_listen(AVStreams::QoS& quality, bool is_mcast, Ref<FlowEndPointStub> peer,
                           std::string& protocol) override;
};

// The flow of the end point as an object. It belongs to the end point.
ObjectRef flow_end_point_of(const std::shared_ptr<EndPoint>& end_point, const std::string& flow,
                            Parts& parts);

}  // namespace takt::streams
