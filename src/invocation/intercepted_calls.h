// Calls with interceptors.
#pragma once

#include <new>
#include <optional>
#include <string_view>

#include <takt/cdr/any.h>
#include <takt/invocation/client_call.h>
#include <takt/reference/object.h>

#include "client/channel/client_channel.h"
#include "client/client.h"
#include "client/thread_channels.h"
#include "invocation/call_interception.h"
#include "reference/local_calls.h"
#include "reference/object_ref.h"

namespace takt::invocation {

// How ClientCall reaches the interceptors of its ORB. Linked only by programs that have some, so ClientCall
// calls virtual functions alone, and none of them is final. Any thread.
class InterceptedCalls {
 public:
  virtual ~InterceptedCalls() = default;
  // Runs the starting points, if this call has any, then begins the request.
  virtual cdr::Encoder& begin(ClientCall& call);
  // The same while the thread's calls use other connections (client::ThreadChannels::UsingStrategy), which
  // those of the points do not: one of them may wait in the thread that reads the replies.
  virtual cdr::Encoder& begin_aside(ClientCall& call);
  // The outcome of an exchange that ended without results, after the ending points.
  virtual ClientCall::Outcome outcome(ClientCall& call, ClientCall::Ended how);
  // A reply has come.
  virtual void note_reply(ClientCall& call);
  // The results have been read.
  virtual void finish(ClientCall& call);
  // Throws what the client gets for a failure that no forward can undo any more.
  virtual void fail(ClientCall& call, const CORBA::SystemException& failure);
  // The call ends by an exception that it does not see.
  virtual void abandon(ClientCall& call) noexcept;
  // As invocation::call_local(), for an object of this ORB.
  virtual bool call_local(reference::ObjectRef& ref, const OperationId& operation, void* arguments);

  // The flow of a new call through the interceptors, until its end(). `ref` and `operation` must outlive it.
  // `local`: the object is in this ORB. Neither allocates nor locks in the steady state.
  virtual CallInterception& take(reference::ObjectRef& ref, std::string_view operation,
                                 bool response_expected, bool local) = 0;

 protected:
  // Whether begin() goes on with a call that it has begun before.
  static bool has_begun(const ClientCall& call) { return call.intercepted_; }
  // Begins a call that has no points.
  static cdr::Encoder& begin_without_points(ClientCall& call) { return call.begin_attempt(); }
  // begin() for the first attempt of a call whose flow `take` gives, and finish(), for a class of flows, so
  // that calls of its functions need not be virtual.
  template <class Flow, class Take>
  [[gnu::always_inline]] static cdr::Encoder& begin_first(ClientCall& call, Take take);
  template <class Flow>
  [[gnu::always_inline]] static void finish_by(ClientCall& call);

 private:
  cdr::Encoder& begin_any(ClientCall& call, bool (*start)(CallInterception&));
  static cdr::Encoder& begin_further(ClientCall& call, bool (*start)(CallInterception&));
  template <class Flow>
  [[gnu::always_inline]] static cdr::Encoder& begin_request(ClientCall& call, Flow& flow);
  // Nothing: the attempt fails, and interceptors forward the call.
  static std::optional<ClientCall::Outcome> outcome_of_attempt(ClientCall& call, CallInterception& flow,
                                                               ClientCall::Ended how);
  [[gnu::cold]] static CORBA::NO_MEMORY without_memory(CORBA::CompletionStatus completed);
  [[gnu::cold]] static void fail_to_begin(ClientCall& call, CallInterception& flow,
                                          const CORBA::SystemException& failure);
  [[gnu::cold]] static void end_at_beginning(ClientCall& call, CallInterception& flow) noexcept;
  static bool start(CallInterception& flow) { return flow.start(); }
  static bool start_aside(CallInterception& flow);
};

template <class Flow>
inline cdr::Encoder& InterceptedCalls::begin_request(ClientCall& call, Flow& flow) {
  const auto begin = [&]() -> cdr::Encoder& {
    if (flow.adds_contexts()) [[unlikely]]
      return call.begin_attempt_with_contexts();
    return call.begin_attempt();
  };
  cdr::Encoder& encoder = begin();
  flow.sent_over(*call.channel_);
  call.channel_->begin_interception(call.has_policies_);  // which gives oneways replies
  return encoder;
}

// Runs the starting points before a connection is chosen, so that calls which they make may use it.
template <class Flow, class Take>
inline cdr::Encoder& InterceptedCalls::begin_first(ClientCall& call, Take take) {
  Flow& flow = take(*call.ref_, call.operation_, call.response_expected_);
  call.interception_ = &flow;
  call.intercepted_ = true;  // not if there is no memory for the flow
  try {
    if (!flow.start_first()) [[likely]]
      try {
        return begin_request(call, flow);
      } catch (const CORBA::SystemException& failure) {
        fail_to_begin(call, flow, failure);
      } catch (const std::bad_alloc&) {
        fail_to_begin(call, flow, without_memory(CORBA::COMPLETED_NO));
      }
    call.count_redirection();
  } catch (...) {
    end_at_beginning(call, flow);
    throw;
  }
  return begin_further(call, start);
}

template <class Flow>
inline void InterceptedCalls::finish_by(ClientCall& call) {
  Flow& flow = static_cast<Flow&>(*call.interception_);
  const struct End {
    Flow& flow;
    ~End() { flow.end(); }
  } end{flow};
  call.intercepted_ = false;
  if (call.reply_->ok()) [[likely]] {
    flow.replied(&call.channel_->reply().contexts);
    call.channel_->end_interception();
    return call.release();
  }
  try {
    call.finish();
  } catch (const CORBA::SystemException& failure) {
    flow.unreadable(failure);
    throw;
  }
}

// The interceptors of the reference's calls; null if there are none.
inline InterceptedCalls* interceptors_of(const reference::ObjectRef& ref) {
  return ref.intercepted() ? client::client_of(*ref.references()).interceptors : nullptr;
}

// As invocation::call_local(), without points of the client, if the object may have interceptors: follows
// their forwards.
bool call_local_served(reference::ObjectRef& ref, const OperationId& operation, void* arguments);

// `unreached`: why a target to which it was forwarded could not be reached; may be empty.
[[noreturn]] void throw_forwarded_too_often(const std::string& unreached = {});
// A user exception as an Any; tk_null if its class is not of generated code.
CORBA::Any any_of(const CORBA::UserException& exception);

// False: interceptors let the exception pass.
inline bool raised_by_servant(CallInterception& call, const CORBA::UserException& exception,
                              CORBA::Any (*to_any)(const CORBA::UserException&)) {
  const CORBA::Any any = to_any(exception);
  const bool known = any.type()->kind() == CORBA::TCKind::tk_except;
  return call.raised_user(known ? any.type()->id() : exception._rep_id(), known ? &any : nullptr);
}

// Makes a call within the process and runs the points of client interceptors. `run` makes the call; false: it
// must go by the wire, and so says the result. Throws what `run` throws, or what interceptors throw in its
// place. `to_any` converts user exceptions that `run` throws.
template <class Run>
bool run_intercepted(InterceptedCalls& interceptors, reference::ObjectRef& ref, std::string_view operation,
                     bool response_expected, Run run,
                     CORBA::Any (*to_any)(const CORBA::UserException&) = any_of) {
  CallInterception& call = interceptors.take(ref, operation, response_expected, true);
  InterceptionEnd end(call);
  const unsigned most = client::client_of(*ref.references()).options.max_redirections;
  for (unsigned redirections = 0;; ++redirections) {
    if (redirections > most) throw_forwarded_too_often();
    if (redirections > 0 && !ref.first_target()) return false;  // an interceptor forwards it elsewhere
    if (call.start()) continue;
    bool done = false;
    try {
      done = run();
    } catch (const CORBA::SystemException& failure) {
      call.raised(failure);
      continue;
    } catch (const CORBA::UserException& exception) {
      if (!raised_by_servant(call, exception, to_any)) throw;
      continue;
    } catch (const reference::LocalForward& forward) {
      ref.redirect_to(forward.target);
      call.ended_by(CallInterception::Other::moved);
      continue;
    } catch (...) {  // a servant manager's, which is no exception of CORBA
      call.abandoned();
      throw;
    }
    if (!done) {
      call.hand_over();
      end.goes_on();
      return false;
    }
    if (response_expected)
      call.replied(nullptr);
    else if (call.ended_by(CallInterception::Other::sent))
      continue;
    return true;
  }
}

}  // namespace takt::invocation
