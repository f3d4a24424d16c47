// Messages of an ORB to the operator.
#pragma once

#include <memory>
#include <string_view>

#include <takt/base/changeable.h>

namespace takt::orb {

// Writes lines to standard error while LogLevel permits. Changing that applies to all copies. Any thread.
class Warnings {
 public:
  bool on() const { return *on_; }
  void turn(bool on) const { *on_ = on; }
  void say(std::string_view text) const;

 private:
  std::shared_ptr<Changeable<bool>> on_ = std::make_shared<Changeable<bool>>(true);
};

}  // namespace takt::orb
