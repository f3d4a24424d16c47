// Calls whose arguments are encoded once and sent many times, to one object or to many.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <takt/cdr/operation.h>
#include <takt/invocation/prepared_arguments.h>
#include <takt/invocation/stub.h>

namespace takt {

// One operation of an interface, with values for its in parameters:
//
//   const takt::PreparedCall<Feed::Sink, Feed::Sink::_operations::push> push(quotes);
//   for (const auto& sink : sinks) push(sink);
//
// Each call behaves like the stub's: the same policies, service contexts, forwards, exceptions and collocated
// servants. In GIOP 1.2 and GIOPlite its arguments are encoded only at the first call over a connection with
// these code sets. Operations with inout parameters cannot be prepared.
//
// Copies the values on construction; they never change, and objects by value that they refer to must not
// change either. Keeps the encoded octets for its lifetime. It must outlive its calls. Any number of threads;
// the encoded arguments need no lock and no allocation per call.
template <class Interface, class Op>
class PreparedCall;

template <class Interface, OperationName Name, class R, class... P, class... E, OperationKind Kind>
class PreparedCall<Interface, Operation<Name, R(P...), Raises<E...>, Kind>>
    : private invocation::PreparedArguments {
  using Op = Operation<Name, R(P...), Raises<E...>, Kind>;
  template <class Parameter>
  static constexpr bool is_in = Parameter::sent && !Parameter::returned;
  static_assert((!(P::sent && P::returned) && ...), "what an inout parameter sends changes with each call");
  static_assert((P::sent || ...), "an operation without in parameters has nothing to prepare");

  // Types of the in parameters, or of the out parameters, in order.
  template <bool in>
  using Values = decltype(std::tuple_cat(
      std::declval<std::conditional_t<is_in<P> == in, std::tuple<typename P::Type>, std::tuple<>>>()...));

 public:
  // A value for each in parameter, in IDL order.
  template <class... Value>
    requires std::is_constructible_v<Values<true>, Value...> && (sizeof...(Value) > 0)
  explicit PreparedCall(Value&&... values) : values_(std::forward<Value>(values)...) {}

  // A variable for each out parameter. Blocks and throws like the stub.
  template <class... Out>
    requires std::is_same_v<Values<false>, std::tuple<Out...>>
  R operator()(const CORBA::object_reference<Interface>& target, Out&... out) const {
    if constexpr (std::is_void_v<R>) {
      call(*target, nullptr, std::tie(out...));
    } else {
      R result{};
      call(*target, &result, std::tie(out...));
      return result;
    }
  }

  // For invocation::CallSeries. Lives as long as this.
  const invocation::PreparedArguments& arguments() const { return *this; }

 private:
  template <class OutVariables>
  void call(const CORBA::Object& target, R* result, const OutVariables& out) const {
    LocalFrame<Op> frame{pointers(out, std::index_sequence_for<P...>()), result};
    if (!invocation::call_local(target, Op::id, &frame))
      detail::Stub<Op>::call_prepared(target, frame, *this);
  }

  // A pointer to each parameter's value: ours, or the caller's variable.
  template <class OutVariables, std::size_t... place>
  Pack<typename P::Pointer...> pointers(const OutVariables& out, std::index_sequence<place...>) const {
    return {{pointer<place, P>(out)}...};
  }
  template <std::size_t place, class Parameter, class OutVariables>
  typename Parameter::Pointer pointer(const OutVariables& out) const {
    if constexpr (is_in<Parameter>)
      return &std::get<count_before<true>(place)>(values_);
    else
      return &std::get<count_before<false>(place)>(out);
  }
  template <bool in>
  static constexpr std::size_t count_before(std::size_t place) {
    std::size_t count = 0, at = 0;
    ((count += at++ < place && is_in<P> == in ? 1 : 0), ...);
    return count;
  }

  void write(cdr::Encoder& encoder) const override {
    std::apply([&](const auto&... value) { (cdr::write(encoder, value), ...); }, values_);
    if constexpr (Op::has_context) encoder.put_count(0);
  }

  const Values<true> values_;
};

}  // namespace takt
