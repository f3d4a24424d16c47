// The events of a real-time event channel, for takt events watch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "RtecEventChannelAdminC.h"
#include "constraint/constraint.h"
#include "ior/target.h"

namespace takt::command {

struct RtWatch {
  std::vector<std::int32_t> types, sources;  // empty: all
  constraint::Constraint filter;
  std::uint64_t count = 0;  // 0: until Ctrl-C
};

// The object as a real-time event channel; nil if it is something else. Asks the object.
CORBA::object_reference<RtecEventChannelAdmin::EventChannel> rt_channel_at(
    const CORBA::object_reference<CORBA::Object>& object);

// Connects a consumer of the channel's last level, and prints the events that it gets. The channel connects
// to this process. What is printed too slowly is left out and counted on standard error. Throws a Failure if
// the channel ends, and exceptions of CORBA.
void watch_rt(const ClientOrb& orb, RtecEventChannelAdmin::EventChannel& channel, const RtWatch& settings);
// The same for the object by which consumers find a channel's shared buffers: reads that of the last level.
// False: it is something else.
bool watch_ring(const ClientOrb& orb, const CORBA::object_reference<CORBA::Object>& object,
                const RtWatch& settings);

}  // namespace takt::command
