// IDL: tests/docs/contexts/demo.idl
// IDL: examples/avionics/avionics.idl --schedule
#pragma once

#include "plain.h"

#include <optional>

#include <takt/rt/rtcorba.h>
#include <takt/rt/schedule.h>

#include "avionicsS.h"
#include "demoS.h"

inline IDL::traits<RTCORBA::RTORB>::ref_type rt;
inline IDL::traits<RTCORBA::Current>::ref_type current;
inline IDL::traits<takt::rt::RunTimeScheduler>::ref_type scheduler;
inline IDL::traits<Demo::Sensor>::ref_type sensor;
inline IDL::traits<Avionics::Navigation>::ref_type navigation;
inline RTCORBA::ThreadpoolId pool;

namespace landing {
std::vector<takt::rt::ScheduledOperation> scheduled_operations();
}
