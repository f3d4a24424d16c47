// Servants with the members that the page's functions use, before and after the IDL has @view.
#pragma once

#include "plain.h"

#include <span>

#include <takt/adapter/hold_octets.h>
#include <takt/adapter/take_argument.h>
#include <takt/invocation/borrow_octets.h>

#include "recorderS.h"

struct KeepsFrames {
  virtual void frame(const Octets& pixels) = 0;
  std::vector<Octets> frames_;
};
struct TakesFrames : CORBA::servant_traits<Recorder>::base_type {
  std::uint32_t crc(std::span<const std::uint8_t> octets);
  std::uint32_t checksum_;
  bool keep;
  Octets last_;
};
struct HoldsFrames : CORBA::servant_traits<Recorder>::base_type {
  std::vector<takt::HeldOctets> frames_;
};

struct ImageSource {
  void read_into(std::span<std::uint8_t> octets);
};
inline ImageSource camera;
inline IDL::traits<Recorder>::ref_type recorder;
inline std::uint32_t number;
