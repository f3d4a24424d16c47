// A port at which clients can connect, and nothing ever answers.
#pragma once

#include <string>

#include "loopback_listener.h"

namespace feature {

// Calls that wait for it fail when it is destroyed.
class SilentPort {
 public:
  // The address of an object there.
  std::string object(int number) const {
    return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(listener_.port()) + "/object" +
           std::to_string(number);
  }

 private:
  const LoopbackListener listener_{1'000};
};

}  // namespace feature
