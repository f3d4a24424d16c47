#pragma once

#include "plain.h"

#include <span>

#include <takt/adapter/borrow_result.h>

#include "cameraS.h"

struct TakesPictures : CORBA::servant_traits<Camera>::base_type {
  struct {
    void read_into(std::uint32_t number, std::span<std::uint8_t> octets) {
      octets[0] = static_cast<std::uint8_t>(number);
    }
  } sensor_;
};
inline IDL::traits<Camera>::ref_type camera;
