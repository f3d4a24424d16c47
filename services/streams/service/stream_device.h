// A device for streams of audio and video: offers flows to other devices, as AVStreams.
//
//   const auto device = takt::streams::StreamDevice::start(orb, {.offers = {{.name = "video", .source =
//   make_camera}}}); const auto control = device->make_control(); control->bind_devs(device->reference(),
//   screen, quality, {"video"}); control->start({});
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "AVStreamsC.h"
#include "Takt_StreamsC.h"
#include "streams/model/limits.h"
#include "streams/service/offer.h"

namespace takt::streams {

// Thread-safe. The ORB must be shut down before this object is destroyed, which ends all flows.
class StreamDevice {
 public:
  struct Options {
    std::vector<FlowOffer> offers{};
    Limits limits{};
    // Address of this machine at which flows arrive; empty: the one in the device's reference.
    std::string host{};
    // Whether frames may be sent to other hosts than the one in the reference of the consumer's end point. A
    // client can then let this device flood any machine.
    bool any_address = false;
    // Takes what VDev::configure() brings; called in a request's thread. False: PropertyException.
    std::function<bool(const CosPropertyService::Property&)> configure{};
  };

  // Creates POAs below the root POA. Registers the device under the object key "MMDevice", and its state for
  // operators (Takt_Streams.idl) under "TaktStreams". The device's reference stays valid after a restart at
  // the same address. Requests are held until the root POA's manager is active. Throws BAD_PARAM for an offer
  // without a name, with neither a source nor a sink, with an unknown carrier, or with the name of another.
  static std::unique_ptr<StreamDevice> start(CORBA::object_reference<CORBA::ORB> orb, Options options);
  StreamDevice(const StreamDevice&) = delete;
  StreamDevice& operator=(const StreamDevice&) = delete;
  ~StreamDevice();

  CORBA::object_reference<AVStreams::MMDevice> reference() const;
  // A stream control in this process, until its stream is destroyed or the ORB shut down.
  CORBA::object_reference<AVStreams::StreamCtrl> make_control() const;
  // A flow connection of the full profile in this process, until it is destroyed or the ORB shut down.
  CORBA::object_reference<AVStreams::FlowConnection> make_flow_connection() const;
  Takt::Streams::State state() const;

 private:
  struct Made;
  explicit StreamDevice(std::unique_ptr<Made> made);

  const std::unique_ptr<Made> made_;
};

}  // namespace takt::streams
