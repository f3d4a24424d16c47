// The values of one asynchronous call: its result, and one value for each parameter. Functions here depend on
// the types of an operation alone, so that operations with the same types share them.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include <takt/async/kept_call.h>
#include <takt/async/reply.h>
#include <takt/async/sending.h>
#include <takt/cdr/codec.h>
#include <takt/cdr/operation.h>
#include <takt/invocation/stub.h>

namespace takt::async {

// Stands in an argument list for an out parameter, for which nothing is sent, and for a void result.
struct Nothing {};
inline constexpr Nothing nothing;

namespace detail {

template <class Result>
using Kept = std::conditional_t<std::is_void_v<Result>, Nothing, Result>;

template <class Parameter, class Argument>
void write_argument(cdr::Encoder& encoder, const Argument& argument) {
  if constexpr (Parameter::sent)
    cdr::Codec<typename Parameter::Type>::write(encoder, argument);
  else
    static_assert(std::is_same_v<Argument, Nothing>);
}
template <class Parameter>
void read_copied(cdr::Decoder& from, typename Parameter::Type& value) {
  if constexpr (Parameter::sent) cdr::Codec<typename Parameter::Type>::read(from, value);
}

// The places of those that are true, as a std::index_sequence.
template <class Found, std::size_t next, bool... rest>
struct PlacesOf {
  using Type = Found;
};
template <std::size_t... found, std::size_t next, bool... rest>
struct PlacesOf<std::index_sequence<found...>, next, true, rest...>
    : PlacesOf<std::index_sequence<found..., next>, next + 1, rest...> {};
template <std::size_t... found, std::size_t next, bool... rest>
struct PlacesOf<std::index_sequence<found...>, next, false, rest...>
    : PlacesOf<std::index_sequence<found...>, next + 1, rest...> {};

// The value of the parameter at a place.
template <std::size_t place, class T>
struct ValueAt {
  T value{};
};
template <std::size_t place, class T>
T& value_at(ValueAt<place, T>& value) {
  return value.value;
}

template <class Places, class R, class... P>
struct ValuesAt;
template <std::size_t... place, class R, class... P>
struct ValuesAt<std::index_sequence<place...>, R, P...> : ValueAt<place, typename P::Type>... {
  Kept<R> result{};

  template <bool with_context, class... Arguments>
  static void write(cdr::Encoder& to, const Arguments&... arguments) try {
    static_assert(sizeof...(Arguments) == sizeof...(P));
    (write_argument<P>(to, arguments), ...);
    if constexpr (with_context) to.put_count(0);
  } catch (const std::bad_alloc&) {
    throw_no_memory_for_call();
  }
  // Reads arguments and writes them again; see CallType.
  template <bool with_context>
  static void copy_arguments(const CallType&, cdr::Decoder& from, cdr::Encoder& to) {
    ValuesAt values;
    (read_copied<P>(from, value_at<place>(values)), ...);
    (::takt::detail::write_argument<P>(to, value_at<place>(values)), ...);
    if constexpr (with_context) to.put_count(0);
  }
  void read_results(cdr::Decoder& from) {
    if constexpr (!std::is_void_v<R>) cdr::Codec<R>::read(from, result);
    (::takt::detail::read_argument<P>(from, &value_at<place>(*this)), ...);
  }
  // Reads the results, or returns the failure that takes their place.
  template <class Exceptions>
  std::exception_ptr read_outcome(Reply& reply) {
    if (reply.failure()) return reply.failure();
    try {
      if (reply.kind() == Reply::Kind::user_exception) ::takt::detail::Raised<Exceptions>::rethrow(reply);
      read_results(reply.decoder());
      reply.finish();
      return nullptr;
    } catch (...) {
      return Reply::present_failure();
    }
  }
  // Makes a kept call by `make`, one of its functions. False: it was not made, and is still kept. Otherwise
  // the results are here, or there is a failure, and end_made() is due.
  template <class Exceptions>
  [[gnu::always_inline]] bool make_kept(KeptCall& call, KeptCall::Made (KeptCall::*make)(),
                                        std::exception_ptr& failure) noexcept {
    try {
      return this->template make_or_throw<Exceptions>(call, make);
    } catch (...) {
      failure = Reply::present_failure(CORBA::COMPLETED_MAYBE);
    }
    return true;
  }
  // The same, but throws the failure.
  template <class Exceptions>
  [[gnu::always_inline]] bool make_or_throw(KeptCall& call, KeptCall::Made (KeptCall::*make)()) {
    const KeptCall::Made made = (call.*make)();
    if (made != KeptCall::Made::result) [[unlikely]] {
      if (made == KeptCall::Made::no) return false;
      ::takt::detail::Raised<Exceptions>::rethrow(call.wire());
    }
    read_results(call.wire().reply());
    call.wire().finish();
    return true;
  }
  // Calls sink.succeed() with the result unless it is void, then the inout and out values.
  template <class Sink>
  void give_to(Sink& sink) {
    give_to(sink, typename PlacesOf<std::index_sequence<>, 0, P::returned...>::Type());
  }

 private:
  template <class Sink, std::size_t... returned>
  void give_to(Sink& sink, std::index_sequence<returned...>) {
    if constexpr (std::is_void_v<R>)
      sink.succeed(value_at<returned>(*this)...);
    else
      sink.succeed(result, value_at<returned>(*this)...);
  }
};

// Value-initialized.
template <class R, class... P>
using Values = ValuesAt<std::index_sequence_for<P...>, R, P...>;

// List<T...> of the types that an operation returns: its result unless that is void, then those of inout and
// out parameters.
template <template <class...> class List, class... Found>
struct Returned {
  template <class... P>
  struct After {
    using Type = List<Found...>;
  };
  template <class First, class... P>
  struct After<First, P...>
      : std::conditional_t<First::returned, Returned<List, Found..., typename First::Type>,
                           Returned<List, Found...>>::template After<P...> {};
};
template <template <class...> class List, class R, class... P>
using ReturnedAs = typename std::conditional_t<std::is_void_v<R>, Returned<List>,
                                               Returned<List, R>>::template After<P...>::Type;

}  // namespace detail

}  // namespace takt::async
