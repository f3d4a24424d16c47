// IDL operations as types, from which stubs, skeletons and collocated calls are made.
//
//   struct Greeter::_operations {
//     using greet = takt::Operation<"greet", std::string(takt::In<std::string>), takt::Raises<NoName>>;
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <takt/cdr/codec.h>
#include <takt/cdr/pack.h>

namespace takt {

// A text as a template argument.
template <std::size_t N>
struct OperationName {
  char octets[N];
  consteval OperationName(const char (&text)[N]) {  // NOLINT: meant to convert
    for (std::size_t i = 0; i < N; ++i) octets[i] = text[i];
  }
  constexpr std::string_view view() const { return {octets, N - 1}; }
};

// The address of an OperationId identifies the operation if caller and servant are in one process: the same
// address means the same IDL.
struct OperationId {
  std::string_view name;
  std::uint64_t hash = hash_of(name);
  bool one_way = false;

  // FNV-1a, folded so that every bit affects the low bits.
  static constexpr std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char octet : name) hash = (hash ^ static_cast<unsigned char>(octet)) * 0x100000001b3;
    return hash ^ hash >> 32;
  }
};

// Parameters, by direction. `Pointer` is how a collocated call passes one.
template <class T>
struct In {
  using Type = T;
  using Pointer = const T*;
  static constexpr bool sent = true, returned = false;
};
template <class T>
struct InOut {
  using Type = T;
  using Pointer = T*;
  static constexpr bool sent = true, returned = true;
};
template <class T>
struct Out {
  using Type = T;
  using Pointer = T*;
  static constexpr bool sent = false, returned = true;
};

// The user exceptions that an operation raises.
template <class... E>
struct Raises {};

enum class OperationKind : unsigned char {
  two_way,
  one_way,
  with_context,  // two-way; a context follows the arguments (CORBA 3.0.3, 15.3.5.4), which we send empty
};

template <OperationName Name, class Signature, class Exceptions = Raises<>,
          OperationKind Kind = OperationKind::two_way>
struct Operation;

// Arguments and result of a collocated call; the caller owns them all. Operations with the same types share
// it.
template <class R, class... Pointers>
struct CallFrame {
  Pack<Pointers...> arguments;
  R* result;  // null for void
};

template <OperationName Name, class R, class... P, class... E, OperationKind Kind>
struct Operation<Name, R(P...), Raises<E...>, Kind> {
  using Result = R;
  using Frame = CallFrame<R, typename P::Pointer...>;
  static constexpr std::string_view name = Name.view();
  static constexpr OperationKind kind = Kind;
  static constexpr bool is_one_way = Kind == OperationKind::one_way;
  static constexpr bool has_context = Kind == OperationKind::with_context;
  static constexpr bool has_arguments = (P::sent || ... || has_context);
  static constexpr bool has_results = !std::is_void_v<R> || (P::returned || ... || false);
  static constexpr std::size_t parameter_count = sizeof...(P);

  static constexpr OperationId id{Name.view(), OperationId::hash_of(Name.view()), is_one_way};
};

template <OperationName Name, class Signature>
using OneWay = Operation<Name, Signature, Raises<>, OperationKind::one_way>;

template <class Op>
using LocalFrame = typename Op::Frame;

// Parameter types of a servant's method, to select it where an attribute has two methods of one name.
template <class T>
inline constexpr bool passed_by_value = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
  requires requires { typename T::element_type; } && (!requires { typename T::value_type; })
inline constexpr bool passed_by_value<T> = true;  // references to objects and values
template <class T>
  requires requires { typename T::_passed_by_value; }
inline constexpr bool passed_by_value<T> = true;  // bit sets and bit masks
template <class T>
using InType = std::conditional_t<passed_by_value<T>, T, const T&>;

namespace detail {
template <class P>
struct ServantParameter {
  using Type = typename P::Type&;
};
template <class T>
struct ServantParameter<In<T>> {
  using Type = InType<T>;
};
template <class Op, class Owner>
struct MethodOf;
template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind, class Owner>
struct MethodOf<Operation<Name, R(P...), Exceptions, Kind>, Owner> {
  using Type = R (Owner::*)(typename ServantParameter<P>::Type...);
};
}  // namespace detail
template <class Op, class Owner>
using Method = typename detail::MethodOf<Op, Owner>::Type;

}  // namespace takt
