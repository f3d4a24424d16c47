// IDL: tests/docs/contexts/demo.idl
#pragma once

#include "plain.h"

#include "demoS.h"

inline IDL::traits<Demo::Sensor>::ref_type sensor;
inline IDL::traits<Demo::Recorder>::ref_type recorder;
inline Demo::Octets quotes;
inline std::vector<IDL::traits<Feed::Sink>::ref_type> sinks;
