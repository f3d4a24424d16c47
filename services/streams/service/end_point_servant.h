// End points and virtual devices as CORBA objects. Their flows are objects, too, but those of others cannot
// be added; encryption is not implemented.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "streams/service/end_point.h"
#include "streams/service/flow_end_point.h"
#include "streams/service/property_set.h"

namespace takt::streams {

// Inside the servants, the interfaces' names mean their base classes, so the stubs need aliases.
using EndPointStub = AVStreams::StreamEndPoint;
using EndPointAStub = AVStreams::StreamEndPoint_A;
using EndPointBStub = AVStreams::StreamEndPoint_B;
using DeviceStub = AVStreams::MMDevice;
using VirtualDeviceStub = AVStreams::VDev;
using ControlStub = AVStreams::StreamCtrl;

[[noreturn]] inline void throw_no_implement(const char* what) {
  throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, what);
}

template <class Interface>
class EndPointServant : public PropertySetServant<Interface> {
 protected:
  using Flows = AVStreams::flowSpec;
  using Quality = AVStreams::streamQoS;

 public:
  EndPointServant(std::shared_ptr<EndPoint> end_point, Parts& parts)
      : PropertySetServant<Interface>(parts.limits, parts.adapter),
        end_point_(std::move(end_point)),
        parts_(parts) {}

  void stop(const Flows& flows) override { end_point_->stop(flows); }
  void start(const Flows& flows) override { end_point_->start(flows); }
  void destroy(const Flows& flows) override {
    if (flows.empty())
      end_point_->end();
    else
      end_point_->remove(flows);
  }
  bool connect(Ref<EndPointStub> responder, Quality& quality, const Flows& flows) override {
    negotiate(responder, quality);
    return end_point_->connect(responder, quality, flows);
  }
  bool request_connection(Ref<EndPointStub> initiator, bool is_mcast, Quality& quality,
                          Flows& flows) override {
    if (!is_mcast) return end_point_->accept(initiator, quality, flows);
    try {
      return end_point_->join_groups(quality, flows);
    } catch (const AVStreams::streamOpFailed& failed) {
      throw AVStreams::streamOpDenied(failed.reason());
    }
  }
  bool modify_QoS(Quality& quality, const Flows& flows) override {
    return end_point_->modify(quality, flows);
  }
  bool set_protocol_restriction(const AVStreams::protocolSpec& allowed) override {
    return end_point_->restrict_carriers(allowed);
  }
  void disconnect(const Flows& flows) override { end_point_->disconnect(flows); }
  // The only protocol has no settings that could be changed.
  void set_FPStatus(const Flows& flows, const std::string&, const CORBA::Any&) override {
    end_point_->require(flows);
    throw AVStreams::FPError(flows.empty() ? std::string() : std::string(name_in(flows.front())));
  }
  ObjectRef get_fep(const std::string& flow) override { return flow_end_point_of(end_point_, flow, parts_); }
  std::string add_fep(ObjectRef) override { throw AVStreams::notSupported(); }
  void remove_fep(const std::string&) override { throw AVStreams::notSupported(); }
  // Others find it as a property. Nil: there is none any more.
  void set_negotiator(Ref<AVStreams::Negotiator> negotiator) override {
    if (negotiator) {
      CORBA::Any value;
      value <<= negotiator;
      this->define_property(property_of_negotiator, value);
    } else if (this->is_property_defined(property_of_negotiator)) {
      this->delete_property(property_of_negotiator);
    }
    const std::lock_guard lock(mutex_);
    negotiator_ = std::move(negotiator);
  }
  void set_key(const std::string&, const AVStreams::key&) override {
    throw_no_implement("encryption by keys; the carrier TLS encrypts");
  }
  void set_source_id(std::int32_t) override {
    throw_no_implement("sources with numbers of the client's: consumers choose them");
  }

 protected:
  // Asks this end point's negotiator, if it has one, to agree with the responder's, which may be nil. Throws
  // QoSRequestFailed if it does not.
  void negotiate(const Ref<EndPointStub>& responder, const Quality& quality) {
    Ref<AVStreams::Negotiator> own, other;
    {
      const std::lock_guard lock(mutex_);
      own = negotiator_;
    }
    if (!own || !responder) return;
    try {
      try {
        bounded(responder, parts_.limits)->get_property_value(property_of_negotiator) >>= other;
      } catch (const CosPropertyService::PropertyNotFound&) {  // NOLINT(bugprone-empty-catch): it has none
      }
      if (bounded(own, parts_.limits)->negotiate(other, quality)) return;
    } catch (const CORBA::SystemException& failure) {
      throw AVStreams::QoSRequestFailed(std::string("a negotiator does not answer: ") + failure.what());
    }
    throw AVStreams::QoSRequestFailed("the negotiators of the end points do not agree");
  }

  const std::shared_ptr<EndPoint> end_point_;

 private:
  static constexpr const char* property_of_negotiator = "Negotiator";

  Parts& parts_;
  std::mutex mutex_;  // guards what follows
  Ref<AVStreams::Negotiator> negotiator_;
};

class EndPointAServant final : public EndPointServant<EndPointAStub> {
 public:
  using EndPointServant::EndPointServant;
  // Consumers of flows without a group have packets of their own: nothing is to be prepared for the first
  // one.
  bool multiconnect(Quality& quality, Flows& flows) override {
    return end_point_->send_to_groups(quality, flows);
  }
  bool connect_leaf(Ref<EndPointBStub> leaf, Quality& quality, const Flows& flows) override {
    negotiate(leaf, quality);
    return end_point_->connect(leaf, quality, flows);
  }
  void disconnect_leaf(Ref<EndPointBStub> leaf, const Flows& flows) override {
    end_point_->disconnect_from(leaf, flows);
  }
};

class EndPointBServant final : public EndPointServant<EndPointBStub> {
 public:
  using EndPointServant::EndPointServant;
  bool multiconnect(Quality& quality, Flows& flows) override {
    return end_point_->join_groups(quality, flows);
  }
};

class VirtualDeviceServant final : public PropertySetServant<VirtualDeviceStub> {
  using Flows = AVStreams::flowSpec;
  using Quality = AVStreams::streamQoS;

 public:
  // `parts` must outlive it.
  VirtualDeviceServant(std::shared_ptr<EndPoint> end_point, Parts& parts)
      : PropertySetServant(parts.limits, parts.adapter), end_point_(std::move(end_point)), parts_(parts) {}

  bool set_peer(Ref<ControlStub> control, Ref<VirtualDeviceStub> peer, Quality& quality,
                const Flows& flows) override;
  bool set_Mcast_peer(Ref<ControlStub>, Ref<AVStreams::MCastConfigIf>, Quality& quality,
                      const Flows& flows) override {
    return end_point_->modify(quality, flows);
  }
  void configure(const CosPropertyService::Property& message) override;
  void set_format(const std::string& flow, const std::string& format) override;
  void set_dev_params(const std::string& flow, const CosPropertyService::Properties& params) override;
  bool modify_QoS(Quality& quality, const Flows& flows) override {
    return end_point_->modify(quality, flows);
  }

 private:
  const std::shared_ptr<EndPoint> end_point_;
  Parts& parts_;
};

}  // namespace takt::streams
