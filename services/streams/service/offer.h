// The flows that a device offers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "streams/flow/flow.h"
#include "streams/model/quality.h"

namespace takt::streams {

// A flow that the device produces, if it has a source, or consumes, if it has a sink; with both, the
// connection decides. Each connection has a source or sink of its own, which a request's thread makes. It is
// large because each property of a flow is a member.
struct FlowOffer {
  std::string name;
  std::function<std::unique_ptr<FrameSource>()> source = {};
  std::function<std::unique_ptr<FrameSink>()> sink = {};
  std::string format = "UNS:octets";                   // compared as a text
  std::vector<std::string> carriers = {"UDP", "TCP"};  // in the order of preference
  std::uint32_t clock_rate = 90'000;                   // units of time stamps in a second
  double frame_rate = 0;                               // a source's, if the client asks for none; 0: unpaced
  LateFrames late = LateFrames::drop;                  // if the client does not say
  QualityBounds bounds = {};
  std::size_t packet_bytes = 0;  // a source's; 0: the carrier's usual size
  // A source's group for streams with many consumers, such as "239.255.1.1:5004": all get the same packets.
  // The device sends to no other group. Empty: each consumer gets packets of its own.
  std::string group = {};
  int hops = 1;               // networks that packets to the group may cross, 0 to 255
  bool joins_groups = false;  // whether a sink's flow joins the group that a producer names
  // Groups, such as "239.255.1.1:5004", that a sink's flow may join. Empty: all, except those that routers do
  // not pass on (224.0.0.0/24, ff01::, ff02:: and the like) and ports below 1024.
  std::vector<std::string> allowed_groups = {};
  // Addresses of the machines, such as "192.0.2.7", whose packets a sink's flow takes from a group. Empty: of
  // all.
  std::vector<std::string> allowed_senders = {};
  std::string interface =
      {};  // network interface of groups, such as "eth0"; empty: the system's routes choose
};

}  // namespace takt::streams
