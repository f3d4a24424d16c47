// Valuetypes: CORBA::ValueBase, references to values, factories, boxes, and their encoding (CORBA 3.0.3,
// 15.3.4; IDL to C++11 mapping, 6.17).
//
// takt-idl generates for `valuetype V : truncatable B { public long x; private V next; };`:
//   class V : public virtual B {                           // CORBA::ValueBase if there is no base value
//    public:
//     using _obv_type = obv::V;                            // forward-declared; not in abstract values
//     using _factory_type = V_init;
//     // Its own id, then those of the bases that it may be truncated to.
//     static constexpr std::string_view _value_ids[] = {"IDL:V:1.0", "IDL:B:1.0"};
//     static constexpr takt::cdr::ValueDescription _value_description{_value_ids};
//     virtual std::int32_t x() const = 0; ...
//   };
//   class obv::V : public virtual ::V, public virtual obv::B {
//    public:
//     const takt::cdr::ValueDescription& _value_type() const override { return ::V::_value_description; }
//     void _write_state(takt::cdr::Encoder& to) const override {
//       obv::B::_write_state(to);
//       takt::cdr::end_base_state(to);
//       takt::cdr::write_members(to, x_, next_);
//     }
//     bool _read_state(takt::cdr::Decoder& from) override {
//       return obv::B::_read_state(from) && takt::cdr::read_members(from, x_, next_);
//     }
//   };
//
// A box is `class Box final : public takt::cdr::ValueBox<Box, T>` with _value_description and the
// constructors. A custom value has `custom` set in its description, and writes and reads its state through
// <takt/cdr/data_streams.h>.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/cdr/codec.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/mapping/traits.h>
#include <takt/cdr/value_release.h>

namespace CORBA {
class TypeCode;
class typecode_reference;
}  // namespace CORBA

namespace takt::cdr {

// Marshaling information about a value's type. Constant.
struct ValueDescription {
  std::span<const std::string_view>
      ids;  // repository ids: its own, then those it may be truncated to, nearest first
  bool custom = false;

  constexpr std::string_view id() const { return ids.front(); }
  constexpr bool chunked() const { return custom || ids.size() > 1; }
};

}  // namespace takt::cdr

namespace CORBA {

[[noreturn]] void throw_nil_value();

template <class T>
class weak_valuetype_reference;

// A reference to a value, nil by default. Copies share the value. Dereferencing nil throws BAD_PARAM.
template <class T>
class valuetype_reference {
 public:
  using element_type = T;

  constexpr valuetype_reference() noexcept = default;
  constexpr valuetype_reference(std::nullptr_t) noexcept {}
  explicit valuetype_reference(std::shared_ptr<T> value) noexcept : value_(std::move(value)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  valuetype_reference(const valuetype_reference<U>& other) noexcept : value_(other.shared()) {}
  valuetype_reference(const valuetype_reference&) noexcept = default;
  valuetype_reference(valuetype_reference&&) noexcept = default;
  valuetype_reference& operator=(const valuetype_reference& other) noexcept {
    valuetype_reference(other).swap(*this);
    return *this;
  }
  valuetype_reference& operator=(valuetype_reference&& other) noexcept {
    valuetype_reference(std::move(other)).swap(*this);
    return *this;
  }
  ~valuetype_reference() { reset(); }

  T* operator->() const {
    if (!value_) [[unlikely]]
      throw_nil_value();
    return value_.get();
  }
  T& operator*() const { return *operator->(); }
  T* get() const noexcept { return value_.get(); }
  explicit operator bool() const noexcept { return static_cast<bool>(value_); }
  void reset() noexcept {
    if (value_) takt::cdr::release_value(std::move(value_));
  }
  void swap(valuetype_reference& other) noexcept { value_.swap(other.value_); }
  weak_valuetype_reference<T> weak_reference() const { return weak_valuetype_reference<T>(*this); }
  const std::shared_ptr<T>& shared() const noexcept { return value_; }

  friend bool operator==(const valuetype_reference& a, std::nullptr_t) noexcept { return !a.value_; }
  template <class U>
  friend bool operator==(const valuetype_reference& a, const valuetype_reference<U>& b) noexcept {
    return a.get() == b.get();
  }

  template <class Out>
  void _write_to(Out& out) const {
    if (value_)
      out << "valuetype " << value_->_value_type().id();
    else
      out << "nil";
  }

 private:
  std::shared_ptr<T> value_;
};

template <class T>
class weak_valuetype_reference {
 public:
  weak_valuetype_reference() noexcept = default;
  weak_valuetype_reference(const valuetype_reference<T>& strong) noexcept : value_(strong.shared()) {}
  valuetype_reference<T> lock() const noexcept { return valuetype_reference<T>(value_.lock()); }
  bool expired() const noexcept { return value_.expired(); }
  void reset() noexcept { value_.reset(); }
  void swap(weak_valuetype_reference& other) noexcept { value_.swap(other.value_); }

 private:
  std::weak_ptr<T> value_;
};

// Base of all values.
class ValueBase {
 public:
  virtual ~ValueBase();

  // Makes a deep copy: each value that it refers to is copied once, as if they were sent. Throws NO_IMPLEMENT
  // if a class has no default constructor.
  virtual valuetype_reference<ValueBase> _copy_value() const;
  static typecode_reference _type_code();

  // A new value of the same class, without state.
  virtual std::shared_ptr<ValueBase> _new_value() const;
  using Make = std::shared_ptr<ValueBase> (*)();
  void _made_by(Make make) { make_ = make; }  // for make_reference

  // For marshaling; generated. Failures are sticky in the stream.
  virtual const takt::cdr::ValueDescription& _value_type() const = 0;
  virtual void _write_state(takt::cdr::Encoder& encoder) const = 0;
  virtual bool _read_state(takt::cdr::Decoder& decoder) = 0;

 protected:
  ValueBase() = default;
  ValueBase(const ValueBase&) = default;
  ValueBase& operator=(const ValueBase&) = default;

 private:
  Make make_ = nullptr;
};

// Makes values that arrive. Called by any thread that decodes.
class ValueFactoryBase {
 public:
  using _traits_type = IDL::traits<ValueFactoryBase>;
  using _ref_type = std::shared_ptr<ValueFactoryBase>;

  virtual ~ValueFactoryBase();
  virtual valuetype_reference<ValueBase> create_for_unmarshal() = 0;

 protected:
  ValueFactoryBase() = default;
};
template <class T>
using valuefactory_reference = std::shared_ptr<T>;
using ValueFactory = valuefactory_reference<ValueFactoryBase>;

template <class T>
struct valuefactory_traits {
  using value_type = valuefactory_reference<T>;
  using ref_type = valuefactory_reference<T>;
  using weak_ref_type = std::weak_ptr<T>;
  using in_type = ref_type;
  using out_type = ref_type&;
  using inout_type = ref_type&;

  // Nil if the factory is not a T.
  template <class U>
  static ref_type narrow(const valuefactory_reference<U>& factory) {
    return std::dynamic_pointer_cast<T>(factory);
  }
  static ref_type narrow(std::nullptr_t) { return {}; }
};

template <std::derived_from<ValueBase> T, class... Arguments>
valuetype_reference<T> make_reference(Arguments&&... arguments);

// Makes boxes for messages that do not say which type to expect.
template <class Box>
class ValueBoxFactory final : public ValueFactoryBase {
 public:
  valuetype_reference<ValueBase> create_for_unmarshal() override { return make_reference<Box>(); }
};

namespace detail {
template <class T, class = void>
struct ObvType {
  using type = T;
};
template <class T>
struct ObvType<T, std::void_t<typename T::_obv_type>> {
  using type = typename T::_obv_type;
};
template <class T, class = void>
struct FactoryType {
  using type = ValueFactoryBase;
};
template <class T>
struct FactoryType<T, std::void_t<typename T::_factory_type>> {
  using type = typename T::_factory_type;
};
template <class T>
  requires requires { typename T::_boxed_type; }
struct FactoryType<T, void> {
  using type = ValueBoxFactory<T>;
};
}  // namespace detail

template <class T>
struct valuetype_traits {
  using base_type = T;
  using value_type = valuetype_reference<T>;
  using ref_type = valuetype_reference<T>;
  using weak_ref_type = weak_valuetype_reference<T>;
  using in_type = ref_type;
  using out_type = ref_type&;
  using inout_type = ref_type&;
  using obv_type = typename detail::ObvType<T>::type;
  using factory_type = typename detail::FactoryType<T>::type;
  using factory_ref_type = std::shared_ptr<factory_type>;
  using weak_factory_ref_type = std::weak_ptr<factory_type>;

  // Nil if the value is not a T.
  template <class U>
  static ref_type narrow(const valuetype_reference<U>& value) {
    return ref_type(std::dynamic_pointer_cast<T>(value.shared()));
  }
  static ref_type narrow(std::nullptr_t) { return {}; }

  template <class Made = obv_type, class... Arguments>
  static valuetype_reference<Made> make_reference(Arguments&&... arguments) {
    return CORBA::make_reference<Made>(std::forward<Arguments>(arguments)...);
  }
};

namespace detail {
template <class T>
struct DefaultMade : T {
  DefaultMade() = default;
};
// Whether there is a default constructor, possibly protected.
template <class T>
constexpr bool default_made() {
  if constexpr (std::is_final_v<T>)
    return std::is_default_constructible_v<T>;
  else
    return std::is_default_constructible_v<DefaultMade<T>>;
}

// Tells a new value how it was made, before it is shared.
template <class T>
void introduce(const std::shared_ptr<T>& made) {
  if constexpr (default_made<T>())
    made->_made_by([]() -> std::shared_ptr<ValueBase> { return make_reference<T>().shared(); });
  if constexpr (requires { made->_owned_by(made); }) made->_owned_by(made);  // an abstract interface
}
}  // namespace detail

// Makes a value of a box, of an implementation, or of obv::V if V has no operations.
template <std::derived_from<ValueBase> T, class... Arguments>
valuetype_reference<T> make_reference(Arguments&&... arguments) {
  std::shared_ptr<T> made;
  if constexpr (std::is_constructible_v<T, Arguments...>) {
    made = std::make_shared<T>(std::forward<Arguments>(arguments)...);
  } else {
    struct Made final : T {
      explicit Made(Arguments&&... from) : T(std::forward<Arguments>(from)...) {}
    };
    made = std::make_shared<Made>(std::forward<Arguments>(arguments)...);
  }
  detail::introduce(made);
  return valuetype_reference<T>(std::move(made));
}
template <std::derived_from<ValueFactoryBase> T, class... Arguments>
valuefactory_reference<T> make_reference(Arguments&&... arguments) {
  return std::make_shared<T>(std::forward<Arguments>(arguments)...);
}

}  // namespace CORBA

template <class T>
  requires std::derived_from<T, CORBA::ValueBase>
struct IDL::traits<T>
    : CORBA::valuetype_traits<T>,
      IDL::detail::common_traits<CORBA::valuetype_reference<T>, CORBA::valuetype_reference<T>> {
  using typename CORBA::valuetype_traits<T>::value_type;
  using typename CORBA::valuetype_traits<T>::in_type;
  using typename CORBA::valuetype_traits<T>::out_type;
  using typename CORBA::valuetype_traits<T>::inout_type;
  using is_local = std::false_type;
  using is_abstract =
      std::bool_constant<!requires { typename T::_factory_type; } && !requires { typename T::_boxed_type; }>;
};
template <class T>
struct IDL::traits<CORBA::valuetype_reference<T>> : IDL::traits<T> {};
template <class T>
  requires std::derived_from<T, CORBA::ValueFactoryBase>
struct IDL::traits<T> : CORBA::valuefactory_traits<T> {};

namespace takt::cdr {

template <class... M>
void write_members(Encoder& encoder, const M&... members) {
  (cdr::write(encoder, members), ...);
}
template <class... M>
bool read_members(Decoder& decoder, M&... members) {
  return (cdr::read(decoder, members) && ...);
}

// Called in _write_state() after the state of a base. In TAO's form, a tag follows it.
void end_base_state(Encoder& encoder);

// The declared type of a parameter or member.
struct FormalValue {
  std::string_view id;  // empty: CORBA::ValueBase
  std::shared_ptr<CORBA::ValueBase> (*make)() =
      nullptr;                            // for values that need no factory of the application
  const CORBA::TypeCode* type = nullptr;  // if only the TypeCode is known; the value keeps it
};

// Writes a value: null, an indirection to an earlier copy in this message, or header and state. The encoder
// keeps the values that it has written alive.
void write_value(Encoder& encoder, std::shared_ptr<CORBA::ValueBase> value);
// Returns null for null. Returns null and fails the decoder if the value cannot be read. The value is
// made by `formal`, or by the factory that the decoder's environment has for its repository id or for one
// that it may be truncated to.
std::shared_ptr<CORBA::ValueBase> read_value(Decoder& decoder, const FormalValue& formal);

// Makes `encoder` write, and `decoder` read, indices into a table instead of values. For Any.
using ValueTable = std::vector<std::shared_ptr<CORBA::ValueBase>>;
void collect_values(Encoder& encoder, ValueTable& table);
void take_values_from(Decoder& decoder, const ValueTable& table);
// The environment of the objects that an encoder wrote while it collected values; null if there were none.
void note_environment(Encoder& encoder, Environment* environment);
Environment* noted_environment(const Encoder& encoder);

namespace detail {

template <class V>
constexpr FormalValue formal_value() {
  if constexpr (requires { V::_value_description; }) {
    using Obv = typename IDL::traits<V>::obv_type;
    FormalValue formal{V::_value_description.id()};
    if constexpr (!std::is_abstract_v<Obv>)
      formal.make = [] { return std::shared_ptr<CORBA::ValueBase>(CORBA::make_reference<Obv>().shared()); };
    return formal;
  } else {
    return {};
  }
}

}  // namespace detail

template <class V>
struct Codec<CORBA::valuetype_reference<V>> {
  static constexpr std::size_t min_size = 4;

  static void write(Encoder& encoder, const CORBA::valuetype_reference<V>& value) {
    write_value(encoder, value.shared());
  }
  static bool read(Decoder& decoder, CORBA::valuetype_reference<V>& value) {
    auto read = read_value(decoder, detail::formal_value<V>());
    value = CORBA::valuetype_reference<V>(std::dynamic_pointer_cast<V>(read));
    if (read && !value) decoder.fail(Error::bad_value);
    return decoder.ok();
  }
};

// Base of the generated class Box, a value box of a T.
template <class Box, class T>
class ValueBox : public CORBA::ValueBase {
 public:
  using _boxed_type = T;

  const T& _value() const { return value_; }
  T& _value() { return value_; }
  void _value(const T& value) { value_ = value; }
  void _value(T&& value) { value_ = std::move(value); }

  const ValueDescription& _value_type() const override { return Box::_value_description; }
  void _write_state(Encoder& encoder) const override { cdr::write(encoder, value_); }
  bool _read_state(Decoder& decoder) override { return cdr::read(decoder, value_); }

 protected:
  ValueBox() = default;
  explicit ValueBox(T value) : value_(std::move(value)) {}

 private:
  T value_{};
};

}  // namespace takt::cdr
