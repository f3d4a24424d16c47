// Connections of an end point's flows that are being made: they end again unless the whole succeeds.
#pragma once

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "streams/service/end_point.h"

namespace takt::streams {

// Runs `action`. Failures of the system become exceptions of AVStreams with a reason.
template <class Action>
void explaining_failures(const std::string& flow, const Action& action) {
  try {
    action();
  } catch (const std::system_error& failure) {
    throw AVStreams::QoSRequestFailed("flow " + flow + ": " + failure.what());
  } catch (const CORBA::SystemException& failure) {
    throw AVStreams::streamOpFailed("flow " + flow + ": " + failure.what());
  }
}

// The connections that connect() or accept() has made so far. They end again unless the whole succeeds.
class EndPoint::Attempt {
 public:
  explicit Attempt(EndPoint& of) : of_(of) {}
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  ~Attempt() {
    if (!succeeded_) of_.undo(*this);
  }
  void succeed() { succeeded_ = true; }

  bool listens(const std::string& flow) const {
    return std::ranges::find(listening, flow) != listening.end();
  }

  std::vector<std::string> listening;             // flows
  std::vector<ProducerFlow::Consumer> consumers;  // to which flows go
  struct Granted {
    std::string flow;
    FlowQuality before, now;
  };
  std::vector<Granted> qualities;

 private:
  EndPoint& of_;
  bool succeeded_ = false;
};

}  // namespace takt::streams
