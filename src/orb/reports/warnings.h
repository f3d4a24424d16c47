// Messages of an ORB to the operator.
#pragma once

#include <memory>
#include <string_view>

#include <takt/base/live_setting.h>

namespace takt::orb {

// Writes lines to standard error while LogLevel permits. Changing that applies to all copies. Any thread.
class Warnings {
 public:
  bool on() const { return *on_; }
  void turn(bool on) const { *on_ = on; }
  void say(std::string_view text) const;

 private:
  std::shared_ptr<LiveSetting<bool>> on_ = std::make_shared<LiveSetting<bool>>(true);
};

}  // namespace takt::orb
