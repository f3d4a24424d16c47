// Messages of an ORB to the operator.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "base/event_log.h"

namespace takt::orb {

// Lines of the ORB's log that have no event of their own. Copies share the log. Any thread.
class Warnings {
 public:
  explicit Warnings(std::shared_ptr<EventLog> log) : log_(std::move(log)) {}
  bool on() const { return log_->takes(LogEvent::warning); }
  void say(std::string_view text) const { log_->write({.event = LogEvent::warning, .reason = text}); }
  EventLog& log() const { return *log_; }

 private:
  std::shared_ptr<EventLog> log_;
};

}  // namespace takt::orb
