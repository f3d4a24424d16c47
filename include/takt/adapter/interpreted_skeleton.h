// The skeletons of interpreted operations: one function serves all their requests.
#pragma once

#include <string_view>

#include <takt/adapter/skeleton.h>
#include <takt/base/probe_site.h>
#include <takt/cdr/interpreted.h>
#include <takt/cdr/pack.h>

namespace takt::adapter {

// Calls a servant's method, of a type that the function knows.
struct InterpretedMethod {
  void (*run)(const InterpretedMethod& method, void* frame);
  void* servant;
  const void* method;  // where the pointer to the member function is
};

// Serves a request, as Upcall does. `frame` is a CallFrame of values that only this call uses.
[[gnu::noinline]] inline void interpret(server::ServerCall& call, const cdr::InterpretedOperation& operation,
                                        const InterpretedMethod& method,
                                        bool (*answer)(server::ServerCall&, const CORBA::UserException&),
                                        void* frame) {
  const cdr::InterpretedFrame values(operation, frame);
  values.read_sent(call.arguments());
  if (operation.has_context()) call.leaves_octets();
  if (operation.has_arguments && !call.arguments().ok()) [[unlikely]]
    return refuse(call, call.arguments().error(), CORBA::COMPLETED_NO, "the arguments can't be decoded");
  try {
    method.run(method, frame);
    if (!call.response_expected()) return;
    cdr::Encoder& encoder = call.begin_reply(operation.has_results);
    encoder.set_borrowing(false);  // the values are destroyed before the reply is sent
    values.write_returned(encoder);
    detail::check_results(call);
  } catch (...) {
    answer_exception(call, answer);
  }
}

// A call from the same process, whose frame is the caller's.
[[gnu::noinline]] inline void interpret_local(OperationKind kind, const InterpretedMethod& method,
                                              bool (*contains)(const CORBA::UserException&), void* frame) {
  const TakeableArguments none_takeable;
  try {
    method.run(method, frame);
  } catch (...) {
    if (kind != OperationKind::one_way) rethrow_as_answered(contains);
  }
}

// Runs operations with these types on servants. Owner declares their methods. The functions are cold, so that
// they are compiled for size.
template <class Owner, class Op>
struct InterpretedUpcall;
template <class Owner, OperationName Name, class R, class... P, class Exceptions, OperationKind Kind>
struct InterpretedUpcall<Owner, Operation<Name, R(P...), Exceptions, Kind>> {
  using Shared = InterpretedUpcall<Owner, Operation<"", R(P...), Exceptions, Kind>>;
  using Listed = detail::Listed<Exceptions>;
  using Frame = CallFrame<R, typename P::Pointer...>;
  using OwnMethod = Method<Operation<Name, R(P...), Exceptions, Kind>, Owner>;

  [[gnu::noinline, gnu::cold]] static bool from_wire(Owner& servant, server::ServerCall& call,
                                                     std::string_view name, OwnMethod method) {
    if (call.operation() != name) [[unlikely]]
      return false;
    TAKT_PROBE(server_upcall);
    Pack<typename P::Type...> values{};
    [[maybe_unused]] const Takeable<typename P::Type...> takeable(values);
    const InterpretedMethod run_it{&run, &servant, &method};
    values.apply([&](typename P::Type&... argument) {
      const cdr::InterpretedOperation& operation = cdr::InterpretedTypes<R, Kind, P...>::operation;
      if constexpr (std::is_void_v<R>) {
        Frame frame{{{&argument}...}, nullptr};
        interpret(call, operation, run_it, &Listed::answer, &frame);
      } else {
        R result{};
        Frame frame{{{&argument}...}, &result};
        interpret(call, operation, run_it, &Listed::answer, &frame);
      }
    });
    return true;
  }

  [[gnu::noinline, gnu::cold]] static bool direct(Owner& servant, void* frame, OwnMethod method) {
    interpret_local(Kind, {&run, &servant, &method}, &Listed::contains, frame);
    return true;
  }

 private:
  [[gnu::cold]] static void run(const InterpretedMethod& how, void* frame) {
    auto& servant = *static_cast<Owner*>(how.servant);
    const OwnMethod method = *static_cast<const OwnMethod*>(how.method);
    auto& local = *static_cast<Frame*>(frame);
    local.arguments.apply([&](typename P::Pointer... argument) {
      if constexpr (std::is_void_v<R>)
        (servant.*method)(*argument...);
      else
        *local.result = (servant.*method)(*argument...);
    });
  }
};

// As entry().
template <class S, class Op, class Owner, Method<Op, Owner> M>
constexpr OperationEntry<S> interpreted_entry() {
  using Shared = typename InterpretedUpcall<Owner, Op>::Shared;
  return {Op::name, &Op::id,
          [](void* servant, server::ServerCall& call) {
            return Shared::from_wire(*static_cast<S*>(servant), call, Op::name, M);
          },
          [](S& servant, void* frame) { return Shared::direct(servant, frame, M); }};
}

}  // namespace takt::adapter
