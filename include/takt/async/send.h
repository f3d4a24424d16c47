// The templates that generated sendc_ functions call, for any operation on any object.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include <takt/async/kept_call.h>
#include <takt/async/messaging.h>
#include <takt/async/reply.h>
#include <takt/async/sending.h>
#include <takt/cdr/codec.h>
#include <takt/cdr/operation.h>
#include <takt/invocation/stub.h>
#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace takt::async {

// Stands in an argument list for an out parameter, for which nothing is sent.
struct Nothing {};
inline constexpr Nothing nothing;

namespace detail {

template <class Parameter, class Argument>
void write_argument(cdr::Encoder& encoder, const Argument& argument) {
  if constexpr (Parameter::sent)
    cdr::Codec<typename Parameter::Type>::write(encoder, argument);
  else
    static_assert(std::is_same_v<Argument, Nothing>);
}

// The values of a call: its result, and one value for each parameter.
template <class R, class... P>
struct Values {
  std::conditional_t<std::is_void_v<R>, Nothing, R> result{};
  std::tuple<typename P::Type...> parameters{};

  void read_arguments(cdr::Decoder& from) {
    each([&]<class Parameter>(typename Parameter::Type& value) {
      if constexpr (Parameter::sent) cdr::Codec<typename Parameter::Type>::read(from, value);
    });
  }
  void write_arguments(cdr::Encoder& to) {
    each([&]<class Parameter>(typename Parameter::Type& value) {
      if constexpr (Parameter::sent) cdr::Codec<typename Parameter::Type>::write(to, value);
    });
  }
  void read_results(cdr::Decoder& from) {
    if constexpr (!std::is_void_v<R>) cdr::Codec<R>::read(from, result);
    each([&]<class Parameter>(typename Parameter::Type& value) {
      if constexpr (Parameter::returned) cdr::Codec<typename Parameter::Type>::read(from, value);
    });
  }
  // The result unless it is void, then the inout and out values.
  auto results() {
    return [&]<std::size_t... place>(std::index_sequence<place...>) {
      return std::tuple_cat(own_result(), returned<P>(std::get<place>(parameters))...);
    }(std::index_sequence_for<P...>());
  }

 private:
  template <class Visit>
  void each(const Visit& visit) {
    [&]<std::size_t... place>(std::index_sequence<place...>) {
      (visit.template operator()<P>(std::get<place>(parameters)), ...);
    }(std::index_sequence_for<P...>());
  }
  auto own_result() {
    if constexpr (std::is_void_v<R>)
      return std::tuple<>();
    else
      return std::tie(result);
  }
  template <class Parameter>
  static auto returned([[maybe_unused]] typename Parameter::Type& value) {
    if constexpr (Parameter::returned)
      return std::tie(value);
    else
      return std::tuple<>();
  }
};

}  // namespace detail

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
    Sending sending(target, type);
    sending.join_loop();
    ::new (sending.sink()) Sink(std::move(sink));
    send(sending, arguments...);
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
    encode(call.encoder(), arguments...);
    guard.keep();
  }
  // Makes a kept call by `make`, one of its functions. False: it was not made, and is still kept. Otherwise
  // the results are in `values`, or there is a failure, and end() is due.
  template <class Make>
  [[gnu::always_inline]] static bool make_kept(KeptCall& call, const Make& make, Values& values,
                                               std::exception_ptr& failure) noexcept {
    try {
      const KeptCall::Made made = make();
      if (made == KeptCall::Made::no) return false;
      if (made == KeptCall::Made::user_exception) [[unlikely]]
        ::takt::detail::Raised<Exceptions>::rethrow(call.wire());
      values.read_results(call.wire().reply());
      call.wire().finish();
    } catch (...) {
      failure = Reply::present_failure(CORBA::COMPLETED_MAYBE);
    }
    return true;
  }

 private:
  template <class... Arguments>
  static void encode(cdr::Encoder& encoder, const Arguments&... arguments) {
    static_assert(sizeof...(Arguments) == sizeof...(P));
    (detail::write_argument<P>(encoder, arguments), ...);
    if constexpr (Op::has_context) encoder.put_count(0);
  }
  template <class... Arguments>
  static void send(Sending& sending, const Arguments&... arguments) {
    sending.keep_sink();
    do {
      encode(sending.begin(), arguments...);
    } while (sending.send() == Sending::Outcome::again);
  }
  static void complete(void* state, Reply& reply) {
    Sink& sink = *static_cast<Sink*>(state);
    Values values;
    std::exception_ptr failure = reply.failure();
    if (!failure) {
      try {
        if (reply.kind() == Reply::Kind::user_exception) ::takt::detail::Raised<Exceptions>::rethrow(reply);
        values.read_results(reply.decoder());
        reply.finish();
      } catch (...) {
        failure = Reply::present_failure();
      }
    }
    if (failure) return sink.fail(failure);
    std::apply([&](auto&... results) { sink.succeed(results...); }, values.results());
  }
  static void copy_arguments(const CallType&, cdr::Decoder& from, cdr::Encoder& to) {
    Values values;
    values.read_arguments(from);
    values.write_arguments(to);
    if constexpr (Op::has_context) to.put_count(0);
  }
  // The handler may begin the next call in the slot.
  static void make_in_slot(KeptCall& call) noexcept {
    Values values;
    std::exception_ptr failure;
    make_kept(call, [&] { return call.make(); }, values, failure);
    const Sink sink = take_sink(call);
    const auto target = call.take_target();
    call.end();
    try {
      if (failure) return sink.fail(failure);
      std::apply([&](auto&... results) { sink.succeed(results...); }, values.results());
    } catch (...) {
      KeptSlot::note_handler_threw(*target, Op::name);
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
  static constexpr CallType type{Op::name, Op::has_arguments, &complete, &copy_arguments, &destroy_sink};

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
