// Building blocks of skeletons that takt-idl --amh makes: servants that answer later, from any thread.
#pragma once

#include <exception>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <takt/adapter/skeleton.h>
#include <takt/os/pooled_memory.h>
#include <takt/reference/local_object.h>
#include <takt/server/late_answer.h>

namespace CORBA {

// The classes for servants of an interface that answer later. Generated for each interface by --amh:
// base_type is the servant's base, response_handler_type the interface of its response handlers.
template <class Interface>
struct amh_traits;

}  // namespace CORBA

namespace takt::adapter {

// Answers with a user exception of the operation's list; false for another.
using ListedAnswer = bool (*)(server::ServerCall&, const CORBA::UserException&);

// Answers `call` with the exception, as a skeleton does; PortableServer::ForwardRequest forwards the caller.
void answer_with(server::ServerCall& call, const std::exception_ptr& exception, ListedAnswer listed);

namespace detail {

[[noreturn]] void throw_wrong_operation(std::string_view given, std::string_view called);
[[noreturn]] void throw_no_exception();

template <class Op>
struct ListedBy;
template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind>
struct ListedBy<Operation<Name, R(P...), Exceptions, Kind>> : Listed<Exceptions> {};

template <class Op>
void check_operation(const server::LateAnswer& answer) {
  if (answer.operation() != Op::name) throw_wrong_operation(Op::name, answer.operation());
}

// A reference to an argument that the request carries, as a tuple.
template <class Parameter>
auto sent_argument([[maybe_unused]] typename Parameter::Type& value) {
  if constexpr (Parameter::sent)
    return std::tie(value);
  else
    return std::tuple<>();
}

}  // namespace detail

// Gives the results of Op: the return value, then the inout and out parameters in IDL order. Throws
// BAD_INV_ORDER if an answer was given before, and BAD_OPERATION if the answer is for another operation.
// Results that cannot be encoded become the exception for the caller.
template <class Op, class... Values>
void give_results(server::LateAnswer& answer, const Values&... values) {
  detail::check_operation<Op>(answer);
  server::LateAnswer::Giving giving(answer);
  if (!giving.is_wanted()) return;
  server::ServerCall& call = giving.call();
  try {
    [[maybe_unused]] cdr::Encoder& encoder = call.begin_reply(Op::has_results);
    (cdr::Codec<Values>::write(encoder, values), ...);
    detail::check_results(call);
  } catch (...) {
    answer_with(call, std::current_exception(), &detail::ListedBy<Op>::answer);
  }
}

// Answers Op with an exception. Throws as give_results() does, and BAD_PARAM for null.
template <class Op>
void give_exception(server::LateAnswer& answer, const std::exception_ptr& exception) {
  if (!exception) detail::throw_no_exception();
  detail::check_operation<Op>(answer);
  server::LateAnswer::Giving giving(answer);
  if (giving.is_wanted()) answer_with(giving.call(), exception, &detail::ListedBy<Op>::answer);
}

// Decodes the request of Op, and has Upcall::run() call servant S with references to what the request
// carries.
template <class Upcall, class S, class Op>
struct DecodedUpcall;

template <class Upcall, class S, OperationName Name, class R, class... P, class Exceptions,
          OperationKind Kind>
struct DecodedUpcall<Upcall, S, Operation<Name, R(P...), Exceptions, Kind>> {
  using Op = Operation<Name, R(P...), Exceptions, Kind>;

  static bool from_wire(void* target, server::ServerCall& call) {
    if (call.operation() != Op::name) [[unlikely]]
      return false;
    TAKT_PROBE(server_upcall);
    S& servant = *static_cast<S*>(target);
    Pack<typename P::Type...> arguments{};
    arguments.apply([&](typename P::Type&... argument) {
      if (detail::read_arguments<Op, P...>(call, argument...))
        Upcall::run(servant, call, std::tuple_cat(detail::sent_argument<P>(argument)...));
    });
    return true;
  }
  // A caller in this process marshals its request too, because it must wait for the answer.
  static bool direct(S&, void*) { return false; }
};

// Runs Op on servant S with a new Handler, which implements Interface, the response handler of the IDL. Run
// calls the servant's method.
template <class S, class Op, class Interface, class Handler, auto Run>
struct LateUpcall : DecodedUpcall<LateUpcall<S, Op, Interface, Handler, Run>, S, Op> {
  template <class Sent>
  static void run(S& servant, server::ServerCall& call, const Sent& sent) {
    std::shared_ptr<Handler> handler;
    try {
      handler = os::make_pooled<Handler>(call, Op::name);
    } catch (...) {
      return answer_with(call, std::current_exception(), &detail::ListedBy<Op>::answer);
    }
    try {
      std::apply([&](auto&... one) { Run(servant, CORBA::object_reference<Interface>(handler), one...); },
                 sent);
    } catch (...) {
      answer_if_none_given(handler->_answer, std::current_exception());
    }
  }

 private:
  // An exception of the method is the answer, unless one was given before.
  static void answer_if_none_given(server::LateAnswer& answer, const std::exception_ptr& exception) {
    try {
      give_exception<Op>(answer, exception);
    } catch (const CORBA::BAD_INV_ORDER&) {
    }
  }
};

// An entry of S's operation table.
template <class S, class Op, class Interface, class Handler, auto Run>
constexpr OperationEntry<S> late_entry() {
  using Upcall = LateUpcall<S, Op, Interface, Handler, Run>;
  return {Op::name, &Op::id, &Upcall::from_wire, &Upcall::direct};
}

}  // namespace takt::adapter
