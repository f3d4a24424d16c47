// Building blocks of generated skeletons: a template that runs any operation on a servant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/adapter/argument_storage.h>
#include <takt/adapter/operation_table.h>
#include <takt/adapter/servant.h>
#include <takt/adapter/take_argument.h>
#include <takt/base/octet_buffer.h>
#include <takt/cdr/codec.h>
#include <takt/cdr/mapping/bounded.h>
#include <takt/cdr/operation.h>
#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>
#include <takt/server/server_call.h>

namespace takt::adapter {

// Answers with the system exception for `error`, such as MARSHAL.
void refuse(server::ServerCall& call, cdr::Error error, CORBA::CompletionStatus completed, const char* what);

// Answers with the current exception. `listed` answers a user exception that the operation raises, and
// returns false for others, which become UNKNOWN minor 1 (CORBA 3.0.3, table 4-3).
void answer_exception(server::ServerCall& call,
                      bool (*listed)(server::ServerCall&, const CORBA::UserException&));
// For local callers: rethrows the current exception, or UNKNOWN in its place.
[[noreturn]] void rethrow_as_answered(bool (*listed)(const CORBA::UserException&));

// Whether the result's octets keep their address when it is moved, so that a long result need not be copied.
template <class T>
inline constexpr bool keeps_address_when_moved = false;
template <class T>
inline constexpr bool keeps_address_when_moved<std::vector<T>> = std::is_trivially_copyable_v<T>;
template <>
inline constexpr bool keeps_address_when_moved<HeldOctets> = true;
template <class T, std::uint32_t Bound>
inline constexpr bool keeps_address_when_moved<IDL::bounded_vector<T, Bound>> =
    std::is_trivially_copyable_v<T>;

namespace detail {

// Shared by all operations with such a parameter.
template <class Parameter>
void read_argument(cdr::Decoder& decoder, typename Parameter::Type& value) {
  if constexpr (Parameter::sent)
    cdr::Codec<typename Parameter::Type>::read(decoder, value);
  else
    empty(value);
}
// Reads the arguments of Op. False, and the call is answered, if they cannot be decoded.
template <class Op, class... Parameter>
[[gnu::always_inline]] inline bool read_arguments(server::ServerCall& call,
                                                  typename Parameter::Type&... argument) {
  (read_argument<Parameter>(call.arguments(), argument), ...);
  if constexpr (Op::has_context) call.leaves_octets();
  if (!Op::has_arguments || call.arguments().ok()) [[likely]]
    return true;
  refuse(call, call.arguments().error(), CORBA::COMPLETED_NO, "the arguments can't be decoded");
  return false;
}
template <class Parameter>
void write_argument(cdr::Encoder& encoder, const typename Parameter::Type& value) {
  if constexpr (Parameter::returned) cdr::Codec<typename Parameter::Type>::write(encoder, value);
}

inline void check_results(server::ServerCall& call) {
  if (call.answer_failed()) [[unlikely]]
    call.system_exception(CORBA::MARSHAL(0, CORBA::COMPLETED_YES, "the results can't be encoded"));
}

// Shared by all operations that raise the same exceptions.
template <class Exceptions>
struct Listed;
template <class... E>
struct Listed<Raises<E...>> {
  static bool contains([[maybe_unused]] const CORBA::UserException& exception) {
    return ((dynamic_cast<const E*>(&exception) != nullptr) || ... || false);
  }
  // False if the exception is not in the list.
  static bool answer(server::ServerCall& call, const CORBA::UserException& exception) {
    return (answer_if<E>(call, exception) || ... || false);
  }

 private:
  template <class Exception>
  static bool answer_if(server::ServerCall& call, const CORBA::UserException& exception) {
    const auto* listed = dynamic_cast<const Exception*>(&exception);
    if (!listed) return false;
    cdr::Encoder& encoder = call.begin_user_exception(Exception::_description.id);
    encoder.set_borrowing(false);
    cdr::Codec<Exception>::write(encoder, *listed);
    return true;
  }
};

}  // namespace detail

// Runs Op on a servant of skeleton S, which declares the method.
template <class Op, class S, Method<Op, S> M>
struct Upcall;

template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind, class S,
          Method<Operation<Name, R(P...), Exceptions, Kind>, S> M>
struct Upcall<Operation<Name, R(P...), Exceptions, Kind>, S, M> {
  using Op = Operation<Name, R(P...), Exceptions, Kind>;
  using Listed = detail::Listed<Exceptions>;

  static bool from_wire(void* target, server::ServerCall& call) {
    if (call.operation() != Op::name) [[unlikely]]
      return false;
    TAKT_PROBE(server_upcall);
    S& servant = *static_cast<S*>(target);
    ArgumentStorage<Pack<typename P::Type...>, keeps_arguments<typename P::Type...>> storage;
    [[maybe_unused]] const Takeable<typename P::Type...> takeable(storage.values());
    storage.values().apply([&](typename P::Type&... argument) { run(servant, call, argument...); });
    storage.used(call.arguments().position() + call.reply().size());
    return true;
  }

  static bool direct(S& servant, void* frame) {
    auto& local = *static_cast<LocalFrame<Op>*>(frame);
    [[maybe_unused]] const Takeable<typename P::Type...> none_takeable;
    try {
      local.arguments.apply([&](typename P::Pointer... argument) {
        if constexpr (std::is_void_v<R>)
          (servant.*M)(*argument...);
        else
          *local.result = (servant.*M)(*argument...);
      });
    } catch (...) {
      if constexpr (Kind != OperationKind::one_way) rethrow_as_answered(&Listed::contains);
    }
    return true;
  }

 private:
  static void run(S& servant, server::ServerCall& call, typename P::Type&... argument) {
    if (!detail::read_arguments<Op, P...>(call, argument...)) [[unlikely]]
      return;
    try {
      if constexpr (std::is_void_v<R>) {
        (servant.*M)(argument...);
        if (call.response_expected()) answer(call, argument...);
      } else {
        R result = (servant.*M)(argument...);
        if (call.response_expected()) answer(call, result, argument...);
      }
    } catch (...) {
      answer_exception(call, &Listed::answer);
    }
  }

  static void answer(server::ServerCall& call, const typename P::Type&... argument)
    requires std::is_void_v<R>
  {
    [[maybe_unused]] cdr::Encoder& encoder = call.begin_reply(Op::has_results);
    encoder.set_borrowing(false);  // the values are destroyed before the reply is sent
    (detail::write_argument<P>(encoder, argument), ...);
    detail::check_results(call);
  }
  template <class Result>
  static void answer(server::ServerCall& call, Result& result, const typename P::Type&... argument)
    requires(!std::is_void_v<R>)
  {
    cdr::Encoder& encoder = call.begin_reply(true);
    if constexpr (!keeps_address_when_moved<R>) encoder.set_borrowing(false);
    cdr::Codec<R>::write(encoder, result);
    if constexpr (keeps_address_when_moved<R>) {
      if (!call.reply().contiguous()) [[unlikely]]
        call.reply().keep(std::move(result));
      encoder.set_borrowing(false);
    }
    (detail::write_argument<P>(encoder, argument), ...);
    detail::check_results(call);
  }
};

// The same for skeleton S, which inherits the method from Owner: skeletons share the code of what they
// inherit.
template <class S, class Owner, class Upcall>
struct InheritedUpcall {
  static bool from_wire(void* target, server::ServerCall& call) {
    Owner& servant = *static_cast<S*>(target);
    return Upcall::from_wire(&servant, call);
  }
  static bool direct(S& servant, void* frame) { return Upcall::direct(servant, frame); }
};

// An entry of S's operation table: operation Op with method M, declared in Owner, which is S or a base of S.
template <class S, class Op, class Owner, Method<Op, Owner> M>
constexpr OperationEntry<S> entry() {
  using Own = Upcall<Op, Owner, M>;
  using Chosen = std::conditional_t<std::is_same_v<S, Owner>, Own, InheritedUpcall<S, Owner, Own>>;
  return {Op::name, &Op::id, &Chosen::from_wire, &Chosen::direct};
}

// The typed reference to the object that a servant incarnates; the implementation of a skeleton's _this().
template <class Interface>
CORBA::object_reference<Interface> this_reference(std::shared_ptr<reference::ObjectRef> ref) {
  return reference::make_stub<Interface>(std::move(ref));
}

}  // namespace takt::adapter
