// The templates behind generated sendp_ functions: the calls, and the pollers (<takt/async/pollable.h>) that
// get their outcomes.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <takt/async/call_values.h>
#include <takt/async/pollable.h>
#include <takt/async/send.h>
#include <takt/cdr/operation.h>
#include <takt/cdr/pack.h>

namespace takt::async {

// The state that a poller and its call share. Any thread.
class PolledCall {
 public:
  PolledCall(const CORBA::Object& target, std::string_view operation);
  virtual ~PolledCall();
  PolledCall(const PolledCall&) = delete;
  PolledCall& operator=(const PolledCall&) = delete;

  const CORBA::object_reference<CORBA::Object>& target() const { return target_; }
  // The name in messages. Constant.
  std::string_view operation() const { return operation_; }

  bool is_ready(std::uint32_t timeout) const;
  // Waits for the outcome, for at most `timeout` milliseconds, and takes it. Throws as pollers do.
  void take(std::uint32_t timeout);
  [[noreturn]] void throw_other_operation();
  // Notes that the exception which is thrown next is the outcome of the call, not of the poller.
  void note_raised();
  bool is_from_poller() const;

  CORBA::object_reference<Messaging::ReplyHandler> handler() const;
  // `self` owns this object.
  void use_handler(const std::shared_ptr<PolledCall>& self,
                   CORBA::object_reference<Messaging::ReplyHandler> handler);

 protected:
  // Notes that the outcome has come. Call once.
  void end();
  // Whether the handler is one of the call's interface.
  virtual bool fits(const CORBA::object_reference<Messaging::ReplyHandler>& handler) const = 0;
  // Gives the handler the outcome.
  virtual void give_to(const CORBA::object_reference<Messaging::ReplyHandler>& handler) = 0;

 private:
  friend class SetOfPollables;
  struct Waits;
  void give_quietly(const CORBA::object_reference<Messaging::ReplyHandler>& handler) noexcept;

  const CORBA::object_reference<CORBA::Object> target_;
  const std::string_view operation_;
  const std::unique_ptr<Waits> waits_;
};

// A call of an operation, whose outcome may also go to a handler.
template <class Op, class Handler, auto on_reply, auto on_exception>
class PolledCallOf;
template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind, class Handler,
          auto on_reply, auto on_exception>
class PolledCallOf<Operation<Name, R(P...), Exceptions, Kind>, Handler, on_reply, on_exception> final
    : public PolledCall {
  using To = HandlerSink<Handler, on_reply, on_exception>;
  using Results = detail::ReturnedAs<Pack, R, P...>;

 public:
  using Op = Operation<Name, R(P...), Exceptions, Kind>;
  using PolledCall::PolledCall;

  // The outcome of the call; see CallOf.
  template <class... Each>
  void succeed(Each&... results) {
    try {
      results_ = Results{{std::move(results)}...};
    } catch (...) {
      failure_ = Reply::present_failure();
    }
    end();
  }
  void fail(const std::exception_ptr& why) {
    failure_ = why;
    end();
  }
  // Waits for the outcome and sets the results, or throws the call's exception.
  template <class... Each>
  void poll(std::uint32_t timeout, Each&... to) {
    take(timeout);
    if (failure_) {
      note_raised();
      std::rethrow_exception(failure_);
    }
    results_.apply([&](auto&... results) { ((to = std::move(results)), ...); });
  }

 private:
  bool fits(const CORBA::object_reference<Messaging::ReplyHandler>& handler) const override {
    return static_cast<bool>(IDL::traits<Handler>::narrow(handler));
  }
  void give_to(const CORBA::object_reference<Messaging::ReplyHandler>& handler) override {
    const To to{IDL::traits<Handler>::narrow(handler)};
    if (failure_) return to.fail(failure_);
    results_.apply([&to](auto&... results) { to.succeed(results...); });
  }

  Results results_{};
  std::exception_ptr failure_;  // in place of the results
};

// The base of all generated pollers.
class PollerOfCall : public virtual Messaging::Poller, public std::enable_shared_from_this<PollerOfCall> {
 public:
  explicit PollerOfCall(std::shared_ptr<PolledCall> call) : call_(std::move(call)) {}

  bool is_ready(std::uint32_t timeout) override { return call_->is_ready(timeout); }
  CORBA::object_reference<CORBA::PollableSet> create_pollable_set() override;
  CORBA::object_reference<CORBA::Object> operation_target() override { return call_->target(); }
  std::string operation_name() override { return std::string(call_->operation()); }
  CORBA::object_reference<Messaging::ReplyHandler> associated_handler() override { return call_->handler(); }
  void associated_handler(const CORBA::object_reference<Messaging::ReplyHandler>& handler) override {
    call_->use_handler(call_, handler);
  }
  bool is_from_poller() override { return call_->is_from_poller(); }

  CORBA::valuetype_reference<CORBA::ValueBase> _copy_value() const override;  // throws MARSHAL
  const cdr::ValueDescription& _value_type() const override;
  void _write_state(cdr::Encoder& to) const override;  // fails
  bool _read_state(cdr::Decoder& from) override;

 protected:
  // Implements an operation of the poller, which waits for a Call.
  template <class Call, class... Each>
  void poll(std::uint32_t timeout, Each&... to) const {
    auto* const call = dynamic_cast<Call*>(call_.get());
    if (!call) call_->throw_other_operation();
    call->poll(timeout, to...);
  }

 private:
  friend class SetOfPollables;
  const std::shared_ptr<PolledCall> call_;
};

// An empty set.
CORBA::object_reference<CORBA::PollableSet> make_pollable_set();

// Gives a call's outcome to its poller; see CallOf.
template <class Call>
struct PolledSink {
  std::shared_ptr<PolledCall> call;  // a Call

  template <class... Results>
  void succeed(Results&... results) const {
    static_cast<Call&>(*call).succeed(results...);
  }
  void fail(const std::exception_ptr& why) const { static_cast<Call&>(*call).fail(why); }
};

// Sends a call, and returns its poller, a Poller. There is one argument for each parameter, `nothing` for an
// out parameter. Allocates the poller.
template <class Poller, class Call, class... Arguments>
CORBA::valuetype_reference<Poller> send_polled(const CORBA::Object& target,
                                               const Arguments&... arguments) try {
  std::shared_ptr<PolledCall> call(std::unique_ptr<PolledCall>(new Call(target, Call::Op::name)));
  auto poller = CORBA::make_reference<Poller>(call);
  using Sink = PolledSink<Call>;
  CallOf<typename Call::Op, Sink>::send(target, Sink{std::move(call)}, arguments...);
  return poller;
} catch (const std::bad_alloc&) {
  throw_no_memory_for_call();
}

}  // namespace takt::async
