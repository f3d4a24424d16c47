// The template that generated stubs call, for any operation on any object.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include <takt/cdr/codec.h>
#include <takt/cdr/operation.h>
#include <takt/invocation/client_call.h>
#include <takt/invocation/prepared_arguments.h>
#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace takt {

namespace detail {

// Shared by all operations with such a parameter.
template <class Parameter>
void write_argument(cdr::Encoder& encoder, const std::remove_pointer_t<typename Parameter::Pointer>& value) {
  if constexpr (Parameter::sent) cdr::Codec<typename Parameter::Type>::write(encoder, value);
}
template <class Parameter>
void read_argument(cdr::Decoder& decoder, typename Parameter::Pointer value) {
  if constexpr (Parameter::returned) cdr::Codec<typename Parameter::Type>::read(decoder, *value);
}

// Shared by all operations that raise the same exceptions.
template <class Exceptions>
struct Raised;
template <class... E>
struct Raised<Raises<E...>> {
  // `Call`: invocation::ClientCall, CallSeries for its last outcome, or an asynchronous call's const Reply.
  template <class Call>
  [[noreturn]] static void rethrow(Call& call) {
    (throw_if<E>(call), ...);
    call.throw_unlisted_exception();
  }

 private:
  template <class Exception, class Call>
  static void throw_if(Call& call) {
    if (call.exception_id() != Exception::_description.id) return;
    Exception exception{};
    if constexpr (requires { call.decoder(); })
      cdr::Codec<Exception>::read(call.decoder(), exception);
    else
      cdr::Codec<Exception>::read(call.reply(), exception);
    call.finish();
    throw exception;
  }
};

template <class Op>
struct Stub;

template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind>
struct Stub<Operation<Name, R(P...), Exceptions, Kind>> {
  using Op = Operation<Name, R(P...), Exceptions, Kind>;
  using ClientCall = invocation::ClientCall;

  static void call_remote(const CORBA::Object& target, const LocalFrame<Op>& frame) {
    call_with(nullptr, target, frame);
  }
  // Uses arguments that were encoded before.
  static void call_prepared(const CORBA::Object& target, const LocalFrame<Op>& frame,
                            const invocation::PreparedArguments& prepared) {
    call_with(&prepared, target, frame);
  }

 private:
  template <class Prepared>
  static void call_with(Prepared prepared, const CORBA::Object& target, const LocalFrame<Op>& frame) {
    frame.arguments.apply(
        [&](typename P::Pointer... arguments) { run(prepared, target, frame.result, arguments...); });
  }
  // `prepared`: null if the arguments must be encoded.
  template <class Prepared>
  static void run([[maybe_unused]] Prepared prepared, const CORBA::Object& target, R* result,
                  typename P::Pointer... arguments) {
    ClientCall call(target, Op::name,
                    {.response_expected = !Op::is_one_way, .has_arguments = Op::has_arguments});
    try {
      run(call, prepared, result, arguments...);
    } catch (const std::bad_alloc&) {
      call.throw_no_memory();
    }
  }
  template <class Prepared>
  [[gnu::always_inline]] static void run(ClientCall& call, [[maybe_unused]] Prepared prepared, R* result,
                                         typename P::Pointer... arguments) {
    ClientCall::Outcome outcome;
    do {
      [[maybe_unused]] cdr::Encoder& encoder = call.begin();
      if constexpr (std::is_null_pointer_v<Prepared>) {
        (detail::write_argument<P>(encoder, *arguments), ...);
        if constexpr (Op::has_context) encoder.put_count(0);
      } else {
        prepared->put(encoder);
      }
      outcome = call.exchange();
    } while (outcome == ClientCall::Outcome::again);
    if constexpr (!Op::is_one_way) {
      if (outcome == ClientCall::Outcome::user_exception) [[unlikely]]
        Raised<Exceptions>::rethrow(call);
      if constexpr (!std::is_void_v<R>) cdr::Codec<R>::read(call.reply(), *result);
      (detail::read_argument<P>(call.reply(), arguments), ...);
      call.finish();
    }
  }
};

}  // namespace detail

// Runs the operation on the target: directly if its servant is in this process, else over the wire. Blocks up
// to the reference's round-trip timeout. Throws the operation's exceptions and CORBA's system exceptions; out
// and inout arguments then have unspecified values.
template <class Op, class... Arguments>
typename Op::Result invoke(const CORBA::Object& target, Arguments&... arguments) {
  static_assert(sizeof...(Arguments) == Op::parameter_count);
  using Result = typename Op::Result;
  if constexpr (std::is_void_v<Result>) {
    LocalFrame<Op> frame{{{&arguments}...}, nullptr};
    if (invocation::call_local(target, Op::id, &frame)) return;
    detail::Stub<Op>::call_remote(target, frame);
  } else {
    Result result{};
    LocalFrame<Op> frame{{{&arguments}...}, &result};
    if (!invocation::call_local(target, Op::id, &frame)) detail::Stub<Op>::call_remote(target, frame);
    return result;
  }
}

}  // namespace takt
