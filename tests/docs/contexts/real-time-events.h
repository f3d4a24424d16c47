// C++23
// IDL: idl/RtecBase.idl
// IDL: idl/RtecEventComm.idl
// IDL: idl/RtecEventChannelAdmin.idl
// IDL: idl/Takt_RtEvents.idl
// IDL: idl/Takt_EventRing.idl
#pragma once

#include "plain.h"
#include "rt_events/event_channel.h"

using namespace std::chrono_literals;

class Steering : public takt::EventConsumer {
 public:
  void push(const takt::EventList&) override {}
};
