// One call of a traced ORB, with its span and the flow of its interceptors.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "invocation/call_interception.h"
#include "tracing/open_span.h"

namespace takt::invocation {
template <class Flow>
class FlowPool;
}

namespace takt::tracing {

// Each thread keeps its flows for later calls. One thread, but for those that outlive theirs.
class TraceFlow final : public invocation::CallInterception {
 public:
  struct CallType {
    reference::ObjectRef& ref;
    std::string_view operation;
    bool response_expected;
    bool local;  // the object is in this ORB
  };
  // A flow for a call, until its end(). `inner`: the flow of its interceptors, or null. The arguments, and
  // what `call` refers to, must outlive it.
  static TraceFlow& take(Tracer& tracer, Decision decision, CallInterception* inner, const CallType& call);
  // The flow that was handed over for this call; null if there is none.
  static TraceFlow* take_handed_over(reference::ObjectRef& ref, std::string_view operation,
                                     CallInterception* inner);
  // Whether the calling thread has handed over a flow for its next call.
  static bool handed_over();

  bool start() override;
  bool adds_contexts() const override { return !data_.empty() || (inner_ && inner_->adds_contexts()); }
  std::span<const giop::ServiceContext> with_added(std::span<const giop::ServiceContext> contexts) override;
  bool response_expected() const override { return response_expected_; }
  void sent_over(client::ClientChannel& channel) override;
  void keep_contexts(const giop::ServiceContexts& contexts) override {
    if (inner_) inner_->keep_contexts(contexts);
  }
  void replied(const giop::ServiceContexts* contexts) override;
  void raised(const CORBA::SystemException& exception) override;
  void unreadable(const CORBA::SystemException& exception) override;
  bool raised_user(std::string_view id, const CORBA::Any* exception) override;
  bool ended_by(Other reason) override;
  void abandoned() noexcept override;
  void hand_over() override;
  void outlive_thread() override;
  void go_on() override {
    if (inner_) inner_->go_on();
  }
  void end() noexcept override;

 private:
  friend class invocation::FlowPool<TraceFlow>;
  void begin(Tracer& tracer, Decision decision, CallInterception* inner, const CallType& call);
  void enter(const reference::CarriedTrace* trace);
  void leave();
  bool has_span() const { return decision_ >= Decision::watched; }
  void fail(std::string_view why, unsigned failures) {
    if (has_span()) span_.fail(why, failures);
  }
  void fail(const CORBA::SystemException& exception);
  // Runs an interceptor's points, whose exception is the outcome of the call.
  template <class Run>
  auto run_inner(Run run);

  CallInterception* inner_ = nullptr;
  reference::ObjectRef* ref_ = nullptr;
  std::string_view operation_;
  Decision decision_ = Decision::left_out;
  bool response_expected_ = false;
  bool local_ = false;
  bool own_ = false;  // it may end in another thread
  TraceFlow* next_free_ = nullptr;
  bool entered_ = false;                             // the thread's position is the call's
  const reference::CarriedTrace* before_ = nullptr;  // the position to return to, if entered_
  OpenSpan span_;                                    // if has_span()
  std::vector<std::uint8_t> data_;                   // the service context's; empty: none
  std::vector<giop::ServiceContext> joined_;         // the result of with_added()
};

}  // namespace takt::tracing
