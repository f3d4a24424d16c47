// The flow of one call through the client interceptors (CORBA 3.0.3, 21.3.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interceptors/common/added_contexts.h"
#include "interceptors/common/orb_interceptors.h"
#include "interceptors/common/slots.h"
#include "invocation/call_interception.h"

namespace takt::invocation {
template <class Flow>
class FlowPool;
}

namespace takt::interceptors {

class ClientInfo;
struct Thrown;

// Each thread keeps its flows for later calls. One thread, but for those that outlive theirs. points.h has
// the functions that each call runs. It is large because what each point may ask of the call is here.
class ClientFlow final : public invocation::CallInterception {
 public:
  // A flow for a call, until its end(). The arguments must outlive it.
  static ClientFlow& take(OrbInterceptors& orb, reference::ObjectRef& ref, std::string_view operation,
                          bool response_expected, bool local);
  // The same for a plain call. Arguments by reference are read when the flow
  // is there, so that they need no registers before.
  static ClientFlow& take_plain(OrbInterceptors& orb, reference::ObjectRef& ref,
                                const std::string_view& operation, const bool& response_expected);
  // Whether the thread's next call over a connection is plain: it has points and no slots, and does not go on
  // with another.
  static bool next_is_plain(const OrbInterceptors& orb);
  // The flow of the call within that ORB which the calling thread makes now; null if there is none, as in a
  // call within another ORB.
  static ClientFlow* local_call(const OrbInterceptors& orb) {
    return local_call_ && local_call_->orb_ == &orb ? local_call_ : nullptr;
  }
  ClientFlow();
  ~ClientFlow();
  ClientFlow(const ClientFlow&) = delete;
  ClientFlow& operator=(const ClientFlow&) = delete;

  bool start() override;
  // The same for the first attempt of a plain call.
  bool start_first();
  bool adds_contexts() const override { return has_state_ && !added_.empty(); }
  std::span<const giop::ServiceContext> with_added(std::span<const giop::ServiceContext> contexts) override;
  bool response_expected() const override { return response_expected_; }
  void keep_contexts(const giop::ServiceContexts& contexts) override;
  void replied(const giop::ServiceContexts* contexts) override;
  void raised(const CORBA::SystemException& exception) override;
  void unreadable(const CORBA::SystemException& exception) override;
  bool raised_user(std::string_view id, const CORBA::Any* exception) override;
  bool ended_by(Other reason) override;
  void abandoned() noexcept override;
  void hand_over() override;
  void outlive_thread() override;
  void go_on() override;
  void end() noexcept override;

  // For the server interceptors of a call within the process.
  const AddedContexts& request_contexts() const { return added_; }
  void keep_reply_contexts(const AddedContexts& contexts);

 private:
  friend class ClientInfo;
  friend class invocation::FlowPool<ClientFlow>;
  enum class Kind : std::uint8_t { results, exception, user_exception, other };
  // The kind of attempt that start() begins: a first attempt, one with slots or within the process, or a
  // further attempt.
  enum class Next : std::uint8_t { plain, first, further };
  using Point = void (PortableInterceptor::ClientRequestInterceptor::*)(
      CORBA::object_reference<PortableInterceptor::ClientRequestInfo>);

  void run(PortableInterceptor::ClientRequestInterceptor& interceptor, unsigned point, Point function);
  void run_with_slots(PortableInterceptor::ClientRequestInterceptor& interceptor, unsigned point,
                      Point function);
  bool start_with_state();
  void replied_with_state();
  void end_with_state() noexcept;
  using Place = PortableInterceptor::ClientRequestInterceptor* const*;
  bool start_has_thrown(Place begun);
  void reply_has_thrown(Place begun);
  Place first() const { return (list_ ? *list_ : orb_->clients_of[false]).first; }
  void leave_local_call();
  std::uint32_t request_id();
  void renew_info() noexcept;
  // Runs the ending points of a call without results. True: an interceptor has forwarded the call. It cannot
  // forward one that has had results.
  bool unwind(bool may_forward = true);
  void become(const CORBA::SystemException& exception);
  void become(Thrown thrown);
  // The status of what an ending point may throw.
  CORBA::CompletionStatus completion() const;
  void forget();

  // Each call writes ref_, operation_ and orb_: apart, because GCC 12 joins neighbours at a cost.
  reference::ObjectRef* ref_ = nullptr;
  bool response_expected_ = false;
  bool local_ = false;
  Next next_ = Next::plain;
  bool started_ = false;          // start() was called by the call that handed this over
  bool own_ = false;              // it may end in another thread
  bool has_state_ = false;        // forget() has something to do, or points need more than their info
  std::uint32_t request_id_ = 0;  // 0: no interceptor has asked for it
  std::string_view operation_;
  // The flow stack: the interceptors from the first of the list to this place have begun.
  Place begun_ = nullptr;
  OrbInterceptors* orb_ = nullptr;
  // Null: those that see calls over connections. A call that was handed over keeps the list of its attempt.
  const Seeing<PortableInterceptor::ClientRequestInterceptor>* list_ = nullptr;
  AddedContexts added_;
  std::vector<giop::ServiceContext> joined_;  // the result of with_added()
  Slots slots_;                               // request scope

  // The outcome.
  Kind kind_ = Kind::results;
  PortableInterceptor::ReplyStatus status_ = PortableInterceptor::SUCCESSFUL;
  std::exception_ptr exception_;
  std::string exception_id_;
  std::optional<CORBA::Any> user_exception_;
  CORBA::object_reference<CORBA::Object> forward_;
  bool forwards_ = false;  // an interceptor does
  const giop::ServiceContexts* reply_contexts_ = nullptr;
  giop::ServiceContexts kept_contexts_;
  std::vector<std::uint8_t> kept_octets_;
  AddedContexts local_reply_contexts_;

  ClientFlow* next_free_ = nullptr;
  std::shared_ptr<ClientInfo> info_;
  ClientFlow* outer_local_call_ = nullptr;
  static thread_local constinit ClientFlow* local_call_;
};

}  // namespace takt::interceptors
