// Cancels asynchronous calls by a stop token.
//
//   std::stop_source stop;
//   {
//     const takt::StopScope scope(stop.get_token());
//     greeter->sendc_greet(handler, "world");
//   }
//   stop.request_stop();  // op_excep gets TRANSIENT (OMG minor 3), unless the call has ended
#pragma once

#include <stop_token>
#include <utility>

namespace takt {

// While it exists, the asynchronous calls that the calling thread begins belong to the token: request_stop()
// cancels those that have not ended, and a call that begins later throws. An inner scope replaces an outer
// one. Lives on the stack; scopes end in reverse order. A coroutine must not hold one while it waits.
class StopScope {
 public:
  explicit StopScope(std::stop_token token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  // The token of the calling thread's calls; null if there is none.
  static const std::stop_token* present() noexcept;

 private:
  const std::stop_token token_;
  const StopScope* const outer_;
};

}  // namespace takt
