// The stubs of interpreted operations: one function makes all their calls.
#pragma once

#include <new>
#include <type_traits>

#include <takt/cdr/interpreted.h>
#include <takt/invocation/stub.h>

namespace takt {

namespace invocation {

// As takt::invoke(). `frame` is the operation's CallFrame; `rethrow` throws the user exception that the call
// got.
[[gnu::noinline]] inline void interpret(const CORBA::Object& target, const OperationId& id,
                                        const cdr::InterpretedOperation& operation,
                                        void (*rethrow)(ClientCall& call), void* frame) {
  if (call_local(target, id, frame)) return;
  const cdr::InterpretedFrame values(operation, frame);
  const bool two_way = operation.kind != OperationKind::one_way;
  ClientCall call(target, id.name, {.response_expected = two_way, .has_arguments = operation.has_arguments});
  try {
    ClientCall::Outcome outcome;
    do {
      cdr::Encoder& encoder = call.begin();
      values.write_sent(encoder);
      if (operation.has_context()) encoder.put_count(0);
      outcome = call.exchange();
    } while (outcome == ClientCall::Outcome::again);
    if (!two_way) return;
    if (outcome == ClientCall::Outcome::user_exception) [[unlikely]]
      rethrow(call);
    values.read_returned(call.reply());
    call.finish();
  } catch (const std::bad_alloc&) {
    call.throw_no_memory();
  }
}

}  // namespace invocation

namespace detail {

// Shared by all operations with these types. The function is cold, so that it is compiled for size.
template <class Op>
struct InterpretedStub;
template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind>
struct InterpretedStub<Operation<Name, R(P...), Exceptions, Kind>> {
  using Shared = InterpretedStub<Operation<"", R(P...), Exceptions, Kind>>;

  [[gnu::noinline, gnu::cold]] static R call(const CORBA::Object& target, const OperationId& id,
                                             typename P::Pointer... arguments) {
    const cdr::InterpretedOperation& operation = cdr::InterpretedTypes<R, Kind, P...>::operation;
    if constexpr (std::is_void_v<R>) {
      CallFrame<R, typename P::Pointer...> frame{{{arguments}...}, nullptr};
      invocation::interpret(target, id, operation, &Raised<Exceptions>::rethrow, &frame);
    } else {
      R result{};
      CallFrame<R, typename P::Pointer...> frame{{{arguments}...}, &result};
      invocation::interpret(target, id, operation, &Raised<Exceptions>::rethrow, &frame);
      return result;
    }
  }
};

}  // namespace detail

// The same as takt::invoke(), with less code for each operation.
template <class Op, class... Arguments>
typename Op::Result invoke_interpreted(const CORBA::Object& target, Arguments&... arguments) {
  static_assert(sizeof...(Arguments) == Op::parameter_count);
  return detail::InterpretedStub<Op>::Shared::call(target, Op::id, &arguments...);
}

}  // namespace takt
