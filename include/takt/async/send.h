// The templates that generated sendc_ functions call, for any operation on any object.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include <takt/async/call_values.h>
#include <takt/async/kept_call.h>
#include <takt/async/messaging.h>
#include <takt/async/reply.h>
#include <takt/async/sending.h>
#include <takt/cdr/operation.h>
#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace takt::async {

// A call of the operation whose outcome goes to a Sink, which has
//   void succeed(Results&...)             the result unless it is void, then the inout and out values
//   void fail(const std::exception_ptr&)  any other outcome
template <class Op, class Sink>
struct CallOf;

template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind, class Sink>
struct CallOf<Operation<Name, R(P...), Exceptions, Kind>, Sink> {
  using Op = Operation<Name, R(P...), Exceptions, Kind>;
  using Values = detail::Values<R, P...>;
  static_assert(!Op::is_one_way, "a oneway has no outcome");
  static_assert(sizeof(Sink) <= Sending::sink_bytes && alignof(Sink) <= alignof(std::max_align_t));

  template <class... Arguments>
  static void send(const CORBA::Object& target, Sink sink, const Arguments&... arguments) {
    Sending sending(target, type);
    ::new (sending.sink()) Sink(std::move(sink));
    send(sending, arguments...);
  }
  // The same, but a run loop of the calling thread delivers the outcome.
  template <class... Arguments>
  static void send_in_loop(const CORBA::Object& target, Sink sink, const Arguments&... arguments) {
    if (KeptSlot* const slot = KeptSlot::begin_in_loop(target, kept_type)) {
      encode_kept(*slot, arguments...);
      ::new (slot->sink()) Sink(std::move(sink));
      return;
    }
    send_at_once_in_loop(target, sink, arguments...);
  }
  // For a trivially destructible sink, which stays at `kept` as long as the result lives. A run loop of the
  // calling thread delivers the outcome.
  template <class... Arguments>
  static HeldCall send_held(const CORBA::Object& target, Sink sink, Sink*& kept,
                            const Arguments&... arguments) {
    static_assert(std::is_trivially_destructible_v<Sink>);
    Sending sending(target, type);
    sending.join_loop();
    HeldCall held = sending.hold();
    kept = ::new (sending.sink()) Sink(std::move(sink));
    send(sending, arguments...);
    return held;
  }
  // Encodes the arguments of a call that a loop is to keep.
  template <class... Arguments>
  static void encode_kept(KeptCall& call, const Arguments&... arguments) {
    KeptCall::Guard guard(call);
    Values::template write<Op::has_context>(call.encoder(), arguments...);
    guard.keep();
  }

 private:
  // On its own, so that send_in_loop() needs little stack and few registers.
  template <class... Arguments>
  [[gnu::noinline]] static void send_at_once_in_loop(const CORBA::Object& target, Sink& sink,
                                                     const Arguments&... arguments) {
    Sending sending(target, type);
    sending.join_loop();
    ::new (sending.sink()) Sink(std::move(sink));
    send(sending, arguments...);
  }
  template <class... Arguments>
  static void send(Sending& sending, const Arguments&... arguments) {
    sending.keep_sink();
    do {
      Values::template write<Op::has_context>(sending.begin(), arguments...);
    } while (sending.send() == Sending::Outcome::again);
  }
  static void complete(void* state, Reply& reply) {
    Sink& sink = *static_cast<Sink*>(state);
    Values values;
    if (const std::exception_ptr failure = values.template read_outcome<Exceptions>(reply))
      return sink.fail(failure);
    values.give_to(sink);
  }
  // The handler may begin the next call in the slot.
  static void make_in_slot(KeptCall& call) noexcept {
    Values values;
    try {
      values.template make_or_throw<Exceptions>(call, &KeptCall::make_begun);
    } catch (...) {
      return fail_made(call, Reply::present_failure(CORBA::COMPLETED_MAYBE));
    }
    const Sink sink = take_sink(call);
    const reference::ObjectRef& target = call.target();
    call.end_made();
    try {
      values.give_to(sink);
    } catch (...) {
      KeptSlot::note_handler_threw(target, Op::name);
    }
  }
  [[gnu::cold, gnu::noinline]] static void fail_made(KeptCall& call,
                                                     const std::exception_ptr& failure) noexcept {
    const Sink sink = take_sink(call);
    const reference::ObjectRef& target = call.target();
    call.end_made();
    try {
      sink.fail(failure);
    } catch (...) {
      KeptSlot::note_handler_threw(target, Op::name);
    }
  }
  static void fail_in_slot(KeptCall& call, const std::exception_ptr& failure) noexcept {
    const Sink sink = take_sink(call);
    try {
      sink.fail(failure);
    } catch (...) {  // the process has no memory
    }
  }
  static Sink take_sink(KeptCall& call) noexcept {
    Sink& kept = *static_cast<Sink*>(static_cast<KeptSlot&>(call).sink());
    Sink taken(std::move(kept));
    kept.~Sink();
    return taken;
  }
  static void move_sink(KeptCall& call, void* to, HeldCall&&) noexcept { ::new (to) Sink(take_sink(call)); }

  static void destroy_sink(void* sink) noexcept { static_cast<Sink*>(sink)->~Sink(); }

 public:
  static constexpr CallType type{Op::name, Op::has_arguments, &complete,
                                 &Values::template copy_arguments<Op::has_context>, &destroy_sink};

 private:
  static constexpr KeptType kept_type{type, false, &make_in_slot, &fail_in_slot, &move_sink};
};

// Calls one of two operations of a reply handler. Nil gets nothing.
template <class Handler, auto on_reply, auto on_exception>
struct HandlerSink {
  CORBA::object_reference<Handler> handler;

  template <class... Results>
  void succeed(Results&... results) const {
    if (handler) ((*handler).*on_reply)(results...);
  }
  void fail(const std::exception_ptr& why) const {
    if (handler) ((*handler).*on_exception)(hold_exception(why));
  }
};

// Calls the operation on the target; its outcome goes to the handler. There is one argument for each
// parameter, `nothing` for an out parameter.
template <class Op, auto on_reply, auto on_exception, class Handler, class... Arguments>
void send(const CORBA::Object& target, CORBA::object_reference<Handler> handler,
          const Arguments&... arguments) {
  using Sink = HandlerSink<Handler, on_reply, on_exception>;
  CallOf<Op, Sink>::send_in_loop(target, Sink{std::move(handler)}, arguments...);
}

}  // namespace takt::async
