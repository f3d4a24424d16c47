// Operations as data. One interpreter calls, and another one serves, all operations that takt-idl makes so
// (--interpreted, @interpreted): they need less code than templates that are made for each operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <takt/cdr/codec.h>
#include <takt/cdr/operation.h>

namespace takt::cdr {

// How the values of a C++ type are written and read. Operations share it.
struct InterpretedType {
  void (*write)(Encoder& encoder, const void* value);
  void (*read)(Decoder& decoder, void* value);
};
template <class T>
inline constexpr InterpretedType interpreted_type{
    [](Encoder& encoder, const void* value) { Codec<T>::write(encoder, *static_cast<const T*>(value)); },
    [](Decoder& decoder, void* value) { Codec<T>::read(decoder, *static_cast<T*>(value)); }};

struct InterpretedParameter {
  const InterpretedType* type;
  bool sent, returned;
};

// An operation without its name, so that operations with the same types share it, and without its exceptions,
// which each side needs in its own form.
struct InterpretedOperation {
  const InterpretedParameter* parameters;
  const InterpretedType* result;  // null: void
  std::uint32_t parameter_count;
  OperationKind kind;
  bool has_arguments, has_results;

  bool has_context() const { return kind == OperationKind::with_context; }
};

// The values of one call: the addresses in the CallFrame of any operation. The frame must outlive this.
class InterpretedFrame {
 public:
  InterpretedFrame(const InterpretedOperation& operation, const void* frame)
      : operation_(operation), frame_(static_cast<const char*>(frame)) {}

  void* argument(std::uint32_t number) const { return address(number); }
  void* result() const { return address(operation_.parameter_count == 0 ? 1 : operation_.parameter_count); }

  // The values that the caller sends, and those that it gets.
  void write_sent(Encoder& encoder) const {
    for (std::uint32_t i = 0; i < operation_.parameter_count; ++i)
      if (operation_.parameters[i].sent) operation_.parameters[i].type->write(encoder, argument(i));
  }
  void read_sent(Decoder& decoder) const {
    for (std::uint32_t i = 0; i < operation_.parameter_count; ++i)
      if (operation_.parameters[i].sent) operation_.parameters[i].type->read(decoder, argument(i));
  }
  void write_returned(Encoder& encoder) const {
    if (operation_.result) operation_.result->write(encoder, result());
    for (std::uint32_t i = 0; i < operation_.parameter_count; ++i)
      if (operation_.parameters[i].returned) operation_.parameters[i].type->write(encoder, argument(i));
  }
  void read_returned(Decoder& decoder) const {
    if (operation_.result) operation_.result->read(decoder, result());
    for (std::uint32_t i = 0; i < operation_.parameter_count; ++i)
      if (operation_.parameters[i].returned) operation_.parameters[i].type->read(decoder, argument(i));
  }

 private:
  void* address(std::uint32_t place) const {
    void* found;
    std::memcpy(&found, frame_ + place * sizeof found, sizeof found);
    return found;
  }

  const InterpretedOperation& operation_;
  const char* const frame_;
};

template <class R, OperationKind Kind, class... P>
struct InterpretedTypes {
  // InterpretedFrame relies on it: a pointer for each argument, or one unused place if there is none, and the
  // pointer to the result.
  static_assert(sizeof(CallFrame<R, typename P::Pointer...>) ==
                (sizeof...(P) == 0 ? 2 : sizeof...(P) + 1) * sizeof(void*));

  static constexpr InterpretedParameter parameters[sizeof...(P) + 1] = {
      {&interpreted_type<typename P::Type>, P::sent, P::returned}..., {nullptr, false, false}};
  static constexpr const InterpretedType* result() {
    if constexpr (std::is_void_v<R>)
      return nullptr;
    else
      return &interpreted_type<R>;
  }
  static constexpr InterpretedOperation operation{parameters,
                                                  result(),
                                                  sizeof...(P),
                                                  Kind,
                                                  (P::sent || ... || (Kind == OperationKind::with_context)),
                                                  !std::is_void_v<R> || (P::returned || ... || false)};
};

}  // namespace takt::cdr
