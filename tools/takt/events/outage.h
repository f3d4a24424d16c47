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

// Says on standard error when the server stops answering, and when it answers again. One thread.
class Outage {
 public:
  explicit Outage(std::string server) : server_(std::move(server)) {}

  bool lasts() const { return lasts_; }
  // Runs ask(), which calls the server and then end(). If the server cannot be reached, or does not answer,
  // waits for a while, in which it may come back. It may have lost the proxy by then: then forget() is
  // called. If the server answers that there is no such proxy, it may have restarted so quickly that no call
  // has failed, as behind a socket of systemd: calls forget() and returns. Throws Disconnected if the server
  // says so of the new proxy too, before a call of end(): at once, or for `patience` after an outage, since
  // a service that starts may not know its channels yet.
  template <class Ask, class Forget>
  void ask(const Ask& ask, const Forget& forget) {
    try {
      return ask();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      renew(forget);
    } catch (const CosEventComm::Disconnected&) {
      renew(forget);
    } catch (const CORBA::TRANSIENT& failure) {
      begin(failure);
    } catch (const CORBA::COMM_FAILURE& failure) {
      begin(failure);
    } catch (const CORBA::TIMEOUT& failure) {
      begin(failure);
    }
    if (lasts_) wait_until(std::chrono::steady_clock::now() + pause);
  }
  void end() {
    const bool was_renewed = std::exchange(is_renewed_, false);
    denials_ = 0;
    if (std::exchange(lasts_, false) || was_renewed) std::cerr << server_ << " answers again" << std::endl;
  }

 private:
  static constexpr std::chrono::milliseconds pause{500}, patience{5'000};

  template <class Forget>
  void renew(const Forget& forget) {
    if (lasts_) {
      if (++denials_ > patience / pause) throw CosEventComm::Disconnected();
    } else {
      if (std::exchange(is_renewed_, true)) throw CosEventComm::Disconnected();
      std::cerr << server_ << " does not know this consumer any more, which connects again" << std::endl;
    }
    forget();
  }
  void begin(const CORBA::SystemException& failure) {
    denials_ = 0;
    if (!std::exchange(lasts_, true))
      std::cerr << server_ << " does not answer, and is asked again: " << failure.what() << std::endl;
  }

  const std::string server_;
  bool lasts_ = false;
  int denials_ = 0;          // answers in an outage, one after the other, that there is no such proxy
  bool is_renewed_ = false;  // has forgotten the proxy although the server answers
};

}  // namespace takt::command
