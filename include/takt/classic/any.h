// CORBA::Any in the classic mapping. C++14.
#pragma once

#include <takt/classic/array.h>
#include <takt/classic/fixed.h>
#include <takt/classic/type_code.h>

namespace takt {
namespace classic {
class AnyHandle;  // incomplete: the runtime's Any

// A value that an Any has given a pointer to, which it frees.
struct KeptValue {
  const void* key;  // stands for the value's type
  void* value;
  void (*free)(void* value);
  KeptValue* next;
};
}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

// A value with its type. Copies share the value. Pointers that are extracted stay the Any's, and are valid
// until it changes. Several threads may extract at once. A failed extraction returns false and leaves its
// target alone.
class Any {
 public:
  struct from_boolean {
    explicit from_boolean(Boolean value) : val(value) {}
    Boolean val;
  };
  struct from_char {
    explicit from_char(Char value) : val(value) {}
    Char val;
  };
  struct from_wchar {
    explicit from_wchar(WChar value) : val(value) {}
    WChar val;
  };
  struct from_octet {
    explicit from_octet(Octet value) : val(value) {}
    Octet val;
  };
  // With `nocopy` the Any takes the string over. `bound` 0: unbounded.
  struct from_string {
    from_string(Char* text, ULong of_bound, Boolean no_copy = false)
        : val(text), bound(of_bound), nocopy(no_copy) {}
    from_string(const Char* text, ULong of_bound)
        : val(const_cast<Char*>(text)), bound(of_bound), nocopy(false) {}
    Char* val;
    ULong bound;
    Boolean nocopy;
  };
  struct from_wstring {
    from_wstring(WChar* text, ULong of_bound, Boolean no_copy = false)
        : val(text), bound(of_bound), nocopy(no_copy) {}
    from_wstring(const WChar* text, ULong of_bound)
        : val(const_cast<WChar*>(text)), bound(of_bound), nocopy(false) {}
    WChar* val;
    ULong bound;
    Boolean nocopy;
  };
  struct to_boolean {
    explicit to_boolean(Boolean& into) : ref(into) {}
    Boolean& ref;
  };
  struct to_char {
    explicit to_char(Char& into) : ref(into) {}
    Char& ref;
  };
  struct to_wchar {
    explicit to_wchar(WChar& into) : ref(into) {}
    WChar& ref;
  };
  struct to_octet {
    explicit to_octet(Octet& into) : ref(into) {}
    Octet& ref;
  };
  struct to_string {
    to_string(const Char*& into, ULong of_bound) : val(into), bound(of_bound) {}
    to_string(Char*& into, ULong of_bound) : val(const_cast<const Char*&>(into)), bound(of_bound) {}
    const Char*& val;
    ULong bound;
  };
  struct to_wstring {
    to_wstring(const WChar*& into, ULong of_bound) : val(into), bound(of_bound) {}
    to_wstring(WChar*& into, ULong of_bound) : val(const_cast<const WChar*&>(into)), bound(of_bound) {}
    const WChar*& val;
    ULong bound;
  };
  // A number of a type fixed<digits, scale>. BAD_PARAM if there is no such type.
  struct from_fixed {
    from_fixed(const Fixed& value, UShort of_digits, UShort of_scale)
        : val(value), digits(of_digits), scale(of_scale) {}
    const Fixed& val;
    UShort digits, scale;
  };
  struct to_fixed {
    to_fixed(Fixed& into, UShort of_digits, UShort of_scale)
        : val(into), digits(of_digits), scale(of_scale) {}
    Fixed& val;
    UShort digits, scale;
  };
  // A value of any type (<takt/classic/value.h>), which is the caller's.
  struct to_value {
    explicit to_value(ValueBase*& into) : ref(into) {}
    ValueBase*& ref;
  };
  // An object or value of any abstract interface (<takt/classic/abstract.h>), which is the caller's.
  struct to_abstract_base {
    explicit to_abstract_base(AbstractBase*& into) : ref(into) {}
    AbstractBase*& ref;
  };
  // A reference of any interface, which is the caller's.
  struct to_object {
    explicit to_object(Object_out into) : ref(into.ptr()) {}
    Object_ptr& ref;
  };

  Any() : handle_(nullptr), kept_(nullptr) {}  // tk_null
  Any(const Any& from);
  Any(Any&& from) noexcept : handle_(from.handle_), kept_(from.kept_.load()) {
    from.handle_ = nullptr;
    from.kept_.store(nullptr);
  }
  // As replace().
  Any(TypeCode_ptr type, const void* value, Boolean release = false);
  ~Any();
  Any& operator=(const Any& from);

  TypeCode_ptr type() const;  // the caller's
  // Replaces the TypeCode by an equivalent one. Throws BAD_TYPECODE if it is not.
  void type(TypeCode_ptr type);
  // Gives the Any a type whose value is to come, for dynamic requests. The value is null: NO_IMPLEMENT for
  // others, which <<= inserts.
  void replace(TypeCode_ptr type, const void* value, Boolean release = false);

  // For generated code and the library. The handle is taken over; null is tk_null.
  takt::classic::AnyHandle* _takt_handle() const { return handle_; }
  void _takt_replace(takt::classic::AnyHandle* handle);
  void* _takt_kept(const void* key) const;
  void* _takt_keep(const void* key, void* value,
                   void (*free)(void*)) const;  // returns the value that is kept
  void _takt_write(takt::classic::Writer& out) const;
  void _takt_read(takt::classic::Reader& in);

 private:
  void forget();

  takt::classic::AnyHandle* handle_;
  mutable std::atomic<takt::classic::KeptValue*> kept_;
};
typedef takt::classic::ValueVar<Any> Any_var;
typedef takt::classic::ValueOut<Any> Any_out;

#define TAKT_CLASSIC_DECLARE(TYPE)        \
  void operator<<=(Any& any, TYPE value); \
  Boolean operator>>=(const Any& any, TYPE& value);
TAKT_CLASSIC_DECLARE(Short)
TAKT_CLASSIC_DECLARE(UShort)
TAKT_CLASSIC_DECLARE(Long)
TAKT_CLASSIC_DECLARE(ULong)
TAKT_CLASSIC_DECLARE(LongLong)
TAKT_CLASSIC_DECLARE(ULongLong)
TAKT_CLASSIC_DECLARE(Float)
TAKT_CLASSIC_DECLARE(Double)
TAKT_CLASSIC_DECLARE(LongDouble)
#undef TAKT_CLASSIC_DECLARE
// References and TypeCodes are duplicated; behind a second pointer they are taken over. Those that are
// extracted stay the Any's.
#define TAKT_CLASSIC_DECLARE(TYPE)               \
  void operator<<=(Any& any, TYPE##_ptr value);  \
  void operator<<=(Any& any, TYPE##_ptr* value); \
  Boolean operator>>=(const Any& any, TYPE##_ptr& value);
TAKT_CLASSIC_DECLARE(Object)
TAKT_CLASSIC_DECLARE(TypeCode)
#undef TAKT_CLASSIC_DECLARE
void operator<<=(Any& any, const Char* text);
void operator<<=(Any& any, const WChar* text);
Boolean operator>>=(const Any& any, const Char*& text);
Boolean operator>>=(const Any& any, const WChar*& text);
void operator<<=(Any& any, const Any& value);
void operator<<=(Any& any, Any* value);
Boolean operator>>=(const Any& any, const Any*& value);
Boolean operator>>=(const Any& any, Any*& value);

#define TAKT_CLASSIC_WRAPPED(TYPE)                          \
  void operator<<=(Any& any, const Any::from_##TYPE& from); \
  Boolean operator>>=(const Any& any, const Any::to_##TYPE& to);
TAKT_CLASSIC_WRAPPED(boolean)
TAKT_CLASSIC_WRAPPED(char)
TAKT_CLASSIC_WRAPPED(wchar)
TAKT_CLASSIC_WRAPPED(octet)
TAKT_CLASSIC_WRAPPED(string)
TAKT_CLASSIC_WRAPPED(wstring)
TAKT_CLASSIC_WRAPPED(fixed)
#undef TAKT_CLASSIC_WRAPPED
Boolean operator>>=(const Any& any, const Any::to_object& to);
// These types need from_boolean() and the like, as they may be one C++ type.
void operator<<=(Any&, Boolean) = delete;
void operator<<=(Any&, Char) = delete;
void operator<<=(Any&, WChar) = delete;
void operator<<=(Any&, Octet) = delete;

TAKT_CLASSIC_SEQUENCE(AnySeq, takt::classic::Values<Any>)

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

// `exception_id` is that of an exception: it precedes its members. Throws what sending the value would.
void insert(CORBA::Any& any, TypeNode& type, void (*write)(Writer& out, const void* value), const void* value,
            const char* exception_id = nullptr);
bool holds(const CORBA::Any& any, TypeNode& type);
// The Any has the type. False if its octets are malformed.
bool extract(const CORBA::Any& any, void (*read)(Reader& in, void* value), void* value);

template <class T>
void write_erased(Writer& out, const void* value) {
  write(out, *static_cast<const T*>(value));
}
template <class T>
void read_erased(Reader& in, void* value) {
  read(in, *static_cast<T*>(value));
}
template <class T>
void free_erased(void* value) {
  delete static_cast<T*>(value);
}
// The address of `key` stands for the type.
template <class T>
struct KeyOf {
  static const char key;
};
template <class T>
const char KeyOf<T>::key = 0;

template <class T>
void insert_value(CORBA::Any& any, TypeNode& type, const T& value, const char* exception_id = nullptr) {
  insert(any, type, &write_erased<T>, &value, exception_id);
}
// Takes the value over, also if it throws.
template <class T>
void insert_own(CORBA::Any& any, TypeNode& type, T* value, const char* exception_id = nullptr) {
  ValueVar<T> own(value);
  insert(any, type, &write_erased<T>, &present(value), exception_id);
  any._takt_keep(&KeyOf<T>::key, own._retn(), &free_erased<T>);
}
template <class T>
bool extract_kept(const CORBA::Any& any, TypeNode& type, T*& value) {
  if (!holds(any, type)) return false;
  void* kept = any._takt_kept(&KeyOf<T>::key);
  if (!kept) {
    ValueVar<T> made(new T());
    if (!extract(any, &read_erased<T>, made.ptr())) return false;
    kept = any._takt_keep(&KeyOf<T>::key, made._retn(), &free_erased<T>);
  }
  value = static_cast<T*>(kept);
  return true;
}
// Numbers and enums.
template <class T>
bool extract_plain(const CORBA::Any& any, TypeNode& type, T& value) {
  T made = T();
  if (!holds(any, type) || !extract(any, &read_erased<T>, &made)) return false;
  value = made;
  return true;
}
template <class T>
void insert_object(CORBA::Any& any, TypeNode& type, T* object) {
  const ObjectMember<T> held(T::_duplicate(object));
  insert_value(any, type, held);
}
template <class T>
void insert_own_object(CORBA::Any& any, TypeNode& type, T** object) {
  const ObjectMember<T> held(*object);
  insert_value(any, type, held);
}
template <class T>
bool extract_object(const CORBA::Any& any, TypeNode& type, T*& object) {
  ObjectMember<T>* kept = nullptr;
  if (!extract_kept(any, type, kept)) return false;
  object = kept->in();
  return true;
}

// A_forany: lends or gives an array to an Any, or is lent the Any's.
template <class Array>
class ForAny {
 public:
  typedef typename Arrays<Array>::Slice Slice;
  ForAny() : slice_(nullptr), nocopy_(false) {}
  ForAny(Slice* slice, CORBA::Boolean nocopy = false) : slice_(slice), nocopy_(nocopy) {}
  Slice& operator[](CORBA::ULong index) { return slice_[index]; }
  const Slice& operator[](CORBA::ULong index) const { return slice_[index]; }
  operator Slice*() const { return slice_; }
  const Slice* in() const { return slice_; }
  Slice* inout() { return slice_; }
  Slice* _retn() {
    Slice* const slice = slice_;
    slice_ = nullptr;
    return slice;
  }
  CORBA::Boolean _takt_nocopy() const { return nocopy_; }

 private:
  Slice* slice_;
  CORBA::Boolean nocopy_;
};
// An array that an Any keeps.
template <class Array>
struct KeptArray {
  Array elements;
  void _takt_read(Reader& in) { read(in, elements); }
};
template <class Array>
void insert_array(CORBA::Any& any, TypeNode& type, const ForAny<Array>& array) {
  ArrayVar<Array, true> own(array._takt_nocopy() ? static_cast<typename Arrays<Array>::Slice*>(array)
                                                 : nullptr);
  insert(any, type, &write_erased<Array>, &present(array.in()));
}
template <class Array>
bool extract_array(const CORBA::Any& any, TypeNode& type, ForAny<Array>& array) {
  KeptArray<Array>* kept = nullptr;
  if (!extract_kept(any, type, kept)) return false;
  array = ForAny<Array>(kept->elements);  // an Any that it is inserted into makes a copy
  return true;
}

}  // namespace classic
}  // namespace takt

// The operators of a generated type. In the namespace of its module, where they are found by its name.
#define TAKT_CLASSIC_ANY_VALUE(TYPE, NODE)                                  \
  inline void operator<<=(::CORBA::Any& takt_any, const TYPE& takt_value) { \
    ::takt::classic::insert_value(takt_any, NODE, takt_value);              \
  }                                                                         \
  inline void operator<<=(::CORBA::Any& takt_any, TYPE* takt_value) {       \
    ::takt::classic::insert_own(takt_any, NODE, takt_value);                \
  }                                                                         \
  TAKT_CLASSIC_ANY_EXTRACTED(TYPE, NODE)
#define TAKT_CLASSIC_ANY_EXCEPTION(TYPE, NODE)                                        \
  inline void operator<<=(::CORBA::Any& takt_any, const TYPE& takt_value) {           \
    ::takt::classic::insert_value(takt_any, NODE, takt_value, takt_value._takt_id()); \
  }                                                                                   \
  inline void operator<<=(::CORBA::Any& takt_any, TYPE* takt_value) {                 \
    ::takt::classic::insert_own(takt_any, NODE, takt_value, TYPE::_takt_id());        \
  }                                                                                   \
  TAKT_CLASSIC_ANY_EXTRACTED(TYPE, NODE)
#define TAKT_CLASSIC_ANY_EXTRACTED(TYPE, NODE)                                                 \
  inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& takt_any, TYPE*& takt_value) {       \
    return ::takt::classic::extract_kept(takt_any, NODE, takt_value);                          \
  }                                                                                            \
  inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& takt_any, const TYPE*& takt_value) { \
    TYPE* takt_kept = nullptr;                                                                 \
    if (!(takt_any >>= takt_kept)) return false;                                               \
    takt_value = takt_kept;                                                                    \
    return true;                                                                               \
  }
#define TAKT_CLASSIC_ANY_ENUM(TYPE, NODE)                                               \
  inline void operator<<=(::CORBA::Any& takt_any, TYPE takt_value) {                    \
    ::takt::classic::insert_value(takt_any, NODE, takt_value);                          \
  }                                                                                     \
  inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& takt_any, TYPE& takt_value) { \
    return ::takt::classic::extract_plain(takt_any, NODE, takt_value);                  \
  }
#define TAKT_CLASSIC_ANY_OBJECT(TYPE, NODE)                                              \
  inline void operator<<=(::CORBA::Any& takt_any, TYPE* takt_value) {                    \
    ::takt::classic::insert_object(takt_any, NODE, takt_value);                          \
  }                                                                                      \
  inline void operator<<=(::CORBA::Any& takt_any, TYPE** takt_value) {                   \
    ::takt::classic::insert_own_object(takt_any, NODE, takt_value);                      \
  }                                                                                      \
  inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& takt_any, TYPE*& takt_value) { \
    return ::takt::classic::extract_object(takt_any, NODE, takt_value);                  \
  }
#define TAKT_CLASSIC_ANY_ARRAY(TYPE, NODE)                                                       \
  inline void operator<<=(::CORBA::Any& takt_any, const TYPE##_forany& takt_value) {             \
    ::takt::classic::insert_array<TYPE>(takt_any, NODE, takt_value);                             \
  }                                                                                              \
  inline ::CORBA::Boolean operator>>=(const ::CORBA::Any& takt_any, TYPE##_forany& takt_value) { \
    return ::takt::classic::extract_array<TYPE>(takt_any, NODE, takt_value);                     \
  }

namespace CORBA {
inline namespace takt_classic_ {

// clang-format off: it never settles on one form.
#define TAKT_CLASSIC_ORB_SEQUENCES(X) \
  X(AnySeq, any) X(BooleanSeq, boolean) X(CharSeq, char) X(OctetSeq, octet) X(ShortSeq, short) \
  X(UShortSeq, ushort) X(LongSeq, long) X(ULongSeq, ulong) X(LongLongSeq, longlong) \
  X(ULongLongSeq, ulonglong) X(FloatSeq, float) X(DoubleSeq, double) X(StringSeq, string) \
  X(WCharSeq, wchar) X(LongDoubleSeq, longdouble) X(WStringSeq, wstring)
// clang-format on
#define TAKT_CLASSIC_DECLARE(NAME, ELEMENT)         \
  extern takt::classic::TypeNode _takt_type_##NAME; \
  extern const TypeCode_ptr _tc_##NAME;             \
  TAKT_CLASSIC_ANY_VALUE(NAME, _takt_type_##NAME)
TAKT_CLASSIC_ORB_SEQUENCES(TAKT_CLASSIC_DECLARE)
#undef TAKT_CLASSIC_DECLARE

}  // namespace takt_classic_
}  // namespace CORBA
