// Interface for how urgent requests are, before they are dispatched.
#pragma once

#include <cstdint>

#include <takt/base/bytes.h>

namespace takt::server {

// Any thread.
class RequestUrgency {
 public:
  // The native real-time priority at which a request will run that asks for this priority (-1: for none), as
  // far as its adapter says. 0: that of its thread.
  virtual int urgency_of(ByteView object_key, std::int16_t asked) noexcept = 0;

 protected:
  ~RequestUrgency() = default;
};

}  // namespace takt::server
