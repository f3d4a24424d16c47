// A service of channels that a subcommand asks again and again, and that does not answer for a while.
#pragma once

#include <chrono>
#include <iostream>
#include <string>
#include <utility>

#include <takt/corba.h>

#include "CosEventCommC.h"
#include "common/interrupt.h"

namespace takt::command {

// Says on standard error when the server stops to answer, and when it answers again. One thread.
class Outage {
 public:
  explicit Outage(std::string server) : server_(std::move(server)) {}

  bool lasts() const { return lasts_; }
  // Runs ask(), which calls the server and then end(). If the server cannot be reached, or does not answer,
  // waits for a while, in which it may come back. It may have lost the proxy by then: then forget() is
  // called.
  template <class Ask, class Forget>
  void ask(const Ask& ask, const Forget& forget) {
    constexpr std::chrono::milliseconds pause{500};
    try {
      return ask();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      if (!lasts_) throw;
      forget();
    } catch (const CosEventComm::Disconnected&) {
      if (!lasts_) throw;
      forget();
    } catch (const CORBA::TRANSIENT& failure) {
      begin(failure);
    } catch (const CORBA::COMM_FAILURE& failure) {
      begin(failure);
    } catch (const CORBA::TIMEOUT& failure) {
      begin(failure);
    }
    wait_until(std::chrono::steady_clock::now() + pause);
  }
  void end() {
    if (std::exchange(lasts_, false)) std::cerr << server_ << " answers again" << std::endl;
  }

 private:
  void begin(const CORBA::SystemException& failure) {
    if (!std::exchange(lasts_, true))
      std::cerr << server_ << " does not answer, and is asked again: " << failure.what() << std::endl;
  }

  const std::string server_;
  bool lasts_ = false;
};

}  // namespace takt::command
