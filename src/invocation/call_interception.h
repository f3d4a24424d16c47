// Interfaces by which calls run the interceptors of their ORB.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <takt/cdr/any.h>
#include <takt/cdr/exception.h>

#include "giop/contexts/service_context.h"
#include "reference/object_ref.h"

namespace takt::client {
class ClientChannel;
}

namespace takt::invocation {

// One call as its interceptors see it. One thread, but for outlive_thread(). The contract:
//  1. start() begins an attempt, and one of the functions that end it follows, unless start() has thrown or
//     forwarded.
//  2. Each function runs the points of the interceptors that the attempt has reached, and no others.
//  3. A function that says that the call was forwarded has redirected the reference: start() again.
//  4. end() is called once, after the last attempt.
class CallInterception {
 public:
  enum class Other : std::uint8_t { sent, moved, retried };

  // True: forwarded. Throws the system exception that the client gets.
  virtual bool start() = 0;
  // Whether interceptors have added contexts to the request.
  virtual bool adds_contexts() const = 0;
  // These and the added ones, except those with the same ids. Valid until the attempt ends.
  virtual std::span<const giop::ServiceContext> with_added(
      std::span<const giop::ServiceContext> contexts) = 0;
  virtual bool response_expected() const = 0;
  // The attempt's request is about to be sent there.
  virtual void sent_over(client::ClientChannel&) {}
  // Copies the reply's contexts, which end before the attempt does.
  virtual void keep_contexts(const giop::ServiceContexts& contexts) = 0;
  // A reply with results. Throws the system exception that replaces them. `contexts`: null if there are none
  // or they were kept.
  virtual void replied(const giop::ServiceContexts* contexts) = 0;
  // Throws the system exception that the client gets. Returns if the call was forwarded.
  virtual void raised(const CORBA::SystemException& exception) = 0;
  // The same for results that cannot be read: interceptors cannot forward the call, which has run.
  virtual void unreadable(const CORBA::SystemException& exception) = 0;
  // False: the client gets the user exception. True: forwarded. Throws the system exception that replaces it.
  // `exception`: null if only its repository id is known.
  virtual bool raised_user(std::string_view id, const CORBA::Any* exception) = 0;
  // The attempt ends without results. True: forwarded. Throws the system exception that the client gets.
  virtual bool ended_by(Other reason) = 0;
  // The client gives the call up, by an exception that the ORB does not see.
  virtual void abandoned() noexcept = 0;
  // A call within the process cannot be made there: the next call that begins goes on with this attempt.
  virtual void hand_over() = 0;
  // The call ends later, in other threads, one at a time. Allocates.
  virtual void outlive_thread() = 0;
  // The next start() goes on with the present attempt.
  virtual void go_on() = 0;
  virtual void end() noexcept = 0;

 protected:
  ~CallInterception() = default;
};

// Ends an interception, unless it goes on in another attempt of the call.
template <class Flow>
class InterceptionEnd {
 public:
  explicit InterceptionEnd(Flow& call) : call_(&call) {}
  ~InterceptionEnd() {
    if (call_) call_->end();
  }
  InterceptionEnd(const InterceptionEnd&) = delete;
  InterceptionEnd& operator=(const InterceptionEnd&) = delete;
  void goes_on() { call_ = nullptr; }

 private:
  Flow* call_;
};

}  // namespace takt::invocation
