// A device as a CORBA object: makes end points for its flows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "Takt_StreamsS.h"
#include "streams/service/control_servant.h"

namespace takt::streams {

class DeviceServant final : public PropertySetServant<DeviceStub> {
  using Flows = AVStreams::flowSpec;
  using Quality = AVStreams::streamQoS;

 public:
  // `parts` must outlive it.
  explicit DeviceServant(Parts& parts);

  void set_reference(Ref<DeviceStub> own) { own_ = std::move(own); }

  Ref<EndPointAStub> create_A(Ref<ControlStub> requester, Ref<VirtualDeviceStub>& device, Quality& quality,
                              bool& met, std::string& name, const Flows& flows) override;
  Ref<EndPointBStub> create_B(Ref<ControlStub> requester, Ref<VirtualDeviceStub>& device, Quality& quality,
                              bool& met, std::string& name, const Flows& flows) override;
  Ref<ControlStub> bind(Ref<DeviceStub> peer, Quality& quality, bool& met, const Flows& flows) override;
  Ref<ControlStub> bind_mcast(Ref<DeviceStub> peer, Quality& quality, bool& met, const Flows& flows) override;
  void destroy(Ref<EndPointStub> end_point, const std::string& name) override;
  std::string add_fdev(ObjectRef) override { throw AVStreams::notSupported(); }
  ObjectRef get_fdev(const std::string& flow) override;
  void remove_fdev(const std::string&) override { throw AVStreams::notSupported(); }

 private:
  template <class Interface, class Servant>
  Ref<Interface> create(Side side, Ref<VirtualDeviceStub>& device, Quality& quality, bool& met,
                        std::string& name, const Flows& flows);
  // A stream control that has run `bind`.
  Ref<ControlStub> bound(const Ref<DeviceStub>& peer, const std::function<void(ControlStub&)>& bind);
  // The stream controls that bind() makes, until their streams are destroyed. Nil: it is being made.
  struct Controls {
    std::mutex mutex;  // guards what follows
    std::uint64_t last_number = 0;
    std::map<std::uint64_t, CORBA::servant_reference<ControlServant>> all;

    void remove(std::uint64_t number);
  };

  std::uint64_t numbered_control();
  void make_room_for_control();
  bool carries_frames(const ControlServant& control, os::TimePoint since) const;

  Parts& parts_;
  Ref<DeviceStub> own_;
  std::mutex flow_devices_mutex_;
  std::map<std::string, ObjectRef> flow_devices_;  // one for each flow for which a client has asked
  const std::shared_ptr<Controls> controls_ = std::make_shared<Controls>();
};

struct MadeControl {
  CORBA::servant_reference<ControlServant> servant;
  Ref<ControlStub> reference;
};
// Makes a stream control in the adapter. `ended` is called once, when its stream is destroyed.
MadeControl make_control(
    const Ref<PortableServer::POA>& adapter, const Limits& limits, std::function<void()> ended = [] {});

class StateServant final : public virtual CORBA::servant_traits<Takt::Streams::Service>::base_type {
 public:
  // `parts` must outlive it.
  explicit StateServant(Parts& parts) : parts_(parts) {}
  Takt::Streams::State look() override;

 private:
  Parts& parts_;
};

}  // namespace takt::streams
