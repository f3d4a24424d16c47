// C++23
// IDL: tests/docs/contexts/demo.idl
// IDL: idl/Takt_Frames.idl
#pragma once

#include "plain.h"

#include <takt/orb/frames.h>
#include <takt/rt/rtcorba.h>

#include "demoS.h"
#include "frames/receiver.h"

inline IDL::traits<RTCORBA::RTORB>::ref_type rt;
inline IDL::traits<Demo::Sensor>::ref_type sensor;
inline CORBA::servant_reference<CORBA::servant_traits<Demo::Listener>::base_type> listener;
inline IDL::traits<CORBA::Object>::ref_type group;
inline takt::FrameOptions options;
inline IDL::traits<Takt::Frames::Receiver>::ref_type receiver;
inline std::vector<std::uint8_t> image;
inline std::uint32_t timestamp;
void send_fewer();
template <class Octets>
void show(std::uint32_t timestamp, const Octets& octets);
