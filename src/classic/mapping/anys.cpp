#include <takt/classic/any.h>

#include "classic/bridge/failures.h"
#include "classic/bridge/fixed_bridge.h"
#include "classic/bridge/types_bridge.h"

namespace takt {
namespace classic {

void insert(CORBA::Any& any, TypeNode& type, void (*write)(Writer&, const void*), const void* value,
            const char* exception_id) {
  any._takt_replace(any::make(handle_of(type), write, value, exception_id));
}
bool holds(const CORBA::Any& any, TypeNode& type) { return any::holds(any._takt_handle(), handle_of(type)); }
bool extract(const CORBA::Any& any, void (*read)(Reader&, void*), void* value) {
  return any::extract(*any._takt_handle(), read, value);
}

namespace {

// A TypeCode of the library's own for as long as a function needs it.
class OwnType {
 public:
  explicit OwnType(TypeCodeHandle* type) : type_(type) {}
  ~OwnType() { release(type_); }
  OwnType(const OwnType&) = delete;
  OwnType& operator=(const OwnType&) = delete;
  TypeCodeHandle& operator*() const { return *type_; }

 private:
  TypeCodeHandle* type_;
};

template <class C>
constexpr bool is_wide = sizeof(C) > 1;

template <class C>
struct BoundedText {
  const C* text;
  CORBA::ULong bound;
};
template <class C>
void insert_text(CORBA::Any& any, const C* text, CORBA::ULong bound) {
  const OwnType type(any::string_type(is_wide<C>, bound));
  const BoundedText<C> value = {text, bound};
  const auto write = [](Writer& out, const void* of) {
    const auto& bounded = *static_cast<const BoundedText<C>*>(of);
    Text<C>::write(out, bounded.text, bounded.bound);
  };
  any._takt_replace(any::make(*type, write, &value, nullptr));
}
template <class C, class From>
void insert_wrapped_text(CORBA::Any& any, const From& from) {
  const TextVar<C> own(from.nocopy ? from.val : nullptr);
  insert_text<C>(any, from.val, from.bound);
}
template <class C>
bool extract_text(const CORBA::Any& any, const C*& text, CORBA::ULong bound) {
  const OwnType type(any::string_type(is_wide<C>, bound));
  if (!any::holds(any._takt_handle(), *type)) return false;
  typedef TextMember<C> Kept;
  void* kept = any._takt_kept(&KeyOf<Kept>::key);
  if (!kept) {
    ValueVar<Kept> made(new Kept);
    if (!extract(any, &read_erased<Kept>, made.ptr())) return false;
    kept = any._takt_keep(&KeyOf<Kept>::key, made._retn(), &free_erased<Kept>);
  }
  text = static_cast<Kept*>(kept)->in();
  return true;
}

// A number of a type that no generated code has.
struct LimitedNumber {
  DecimalWords words;
  CORBA::UShort digits, scale;
};

}  // namespace

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

namespace bridge = takt::classic::any;
using takt::classic::KeptValue;

Any::Any(const Any& from) : handle_(bridge::duplicate(from.handle_)), kept_(nullptr) {}
Any::~Any() {
  forget();
  bridge::release(handle_);
}
Any& Any::operator=(const Any& from) {
  if (&from != this) _takt_replace(bridge::duplicate(from.handle_));
  return *this;
}
void Any::forget() {
  KeptValue* kept = kept_.exchange(nullptr);
  while (kept) {
    KeptValue* const next = kept->next;
    kept->free(kept->value);
    delete kept;
    kept = next;
  }
}
void Any::_takt_replace(takt::classic::AnyHandle* handle) {
  forget();
  bridge::release(handle_);
  handle_ = handle;
}
void* Any::_takt_kept(const void* key) const {
  for (const KeptValue* kept = kept_.load(std::memory_order_acquire); kept; kept = kept->next)
    if (kept->key == key) return kept->value;
  return nullptr;
}
void* Any::_takt_keep(const void* key, void* value, void (*free)(void*)) const {
  KeptValue* const kept = new KeptValue{key, value, free, kept_.load(std::memory_order_acquire)};
  while (!kept_.compare_exchange_weak(kept->next, kept, std::memory_order_acq_rel)) {
  }
  return value;
}

TypeCode_ptr Any::type() const { return TypeCode::_takt_make(bridge::type(handle_)); }
void Any::type(TypeCode_ptr type) {
  if (is_nil(type)) takt::classic::raise_bad_param("an Any was given a nil TypeCode");
  takt::classic::AnyHandle* const changed = bridge::with_type(handle_, *type->_takt_handle());
  bridge::release(handle_);  // values that were extracted stay valid
  handle_ = changed;
}
void Any::replace(TypeCode_ptr type, const void* value, Boolean) {
  if (value)
    takt::classic::raise_system("IDL:omg.org/CORBA/NO_IMPLEMENT:1.0", 0, COMPLETED_NO,
                                "Any::replace() with a value: insert it with <<=");
  Any typed;
  typed.type(type);
  *this = typed;
}
Any::Any(TypeCode_ptr type, const void* value, Boolean release) : Any() { replace(type, value, release); }
void Any::_takt_write(takt::classic::Writer& out) const { bridge::write(out, handle_); }
void Any::_takt_read(takt::classic::Reader& in) { _takt_replace(bridge::read(in)); }

#define TAKT_CLASSIC_DEFINE(TYPE, KIND)                                                \
  void operator<<=(Any& any, TYPE value) {                                             \
    takt::classic::insert_value(any, takt::classic::basic_types[KIND], value);         \
  }                                                                                    \
  Boolean operator>>=(const Any& any, TYPE& value) {                                   \
    return takt::classic::extract_plain(any, takt::classic::basic_types[KIND], value); \
  }
TAKT_CLASSIC_DEFINE(Short, tk_short)
TAKT_CLASSIC_DEFINE(UShort, tk_ushort)
TAKT_CLASSIC_DEFINE(Long, tk_long)
TAKT_CLASSIC_DEFINE(ULong, tk_ulong)
TAKT_CLASSIC_DEFINE(LongLong, tk_longlong)
TAKT_CLASSIC_DEFINE(ULongLong, tk_ulonglong)
TAKT_CLASSIC_DEFINE(Float, tk_float)
TAKT_CLASSIC_DEFINE(Double, tk_double)
TAKT_CLASSIC_DEFINE(LongDouble, tk_longdouble)
#undef TAKT_CLASSIC_DEFINE

#define TAKT_CLASSIC_DEFINE(TYPE, KIND)                                                 \
  void operator<<=(Any& any, TYPE##_ptr value) {                                        \
    takt::classic::insert_object(any, takt::classic::basic_types[KIND], value);         \
  }                                                                                     \
  void operator<<=(Any& any, TYPE##_ptr* value) {                                       \
    takt::classic::insert_own_object(any, takt::classic::basic_types[KIND], value);     \
  }                                                                                     \
  Boolean operator>>=(const Any& any, TYPE##_ptr& value) {                              \
    return takt::classic::extract_object(any, takt::classic::basic_types[KIND], value); \
  }
TAKT_CLASSIC_DEFINE(Object, tk_objref)
TAKT_CLASSIC_DEFINE(TypeCode, tk_TypeCode)
#undef TAKT_CLASSIC_DEFINE

void operator<<=(Any& any, const Char* text) { takt::classic::insert_text<Char>(any, text, 0); }
void operator<<=(Any& any, const WChar* text) { takt::classic::insert_text<WChar>(any, text, 0); }
Boolean operator>>=(const Any& any, const Char*& text) {
  return takt::classic::extract_text<Char>(any, text, 0);
}
Boolean operator>>=(const Any& any, const WChar*& text) {
  return takt::classic::extract_text<WChar>(any, text, 0);
}
void operator<<=(Any& any, const Any& value) {
  takt::classic::insert_value(any, takt::classic::basic_types[tk_any], value);
}
void operator<<=(Any& any, Any* value) {
  takt::classic::insert_own(any, takt::classic::basic_types[tk_any], value);
}
Boolean operator>>=(const Any& any, Any*& value) {
  return takt::classic::extract_kept(any, takt::classic::basic_types[tk_any], value);
}
Boolean operator>>=(const Any& any, const Any*& value) {
  Any* kept = nullptr;
  if (!(any >>= kept)) return false;
  value = kept;
  return true;
}

#define TAKT_CLASSIC_DEFINE(NAME, KIND)                                                 \
  void operator<<=(Any& any, const Any::from_##NAME& from) {                            \
    takt::classic::insert_value(any, takt::classic::basic_types[KIND], from.val);       \
  }                                                                                     \
  Boolean operator>>=(const Any& any, const Any::to_##NAME& to) {                       \
    return takt::classic::extract_plain(any, takt::classic::basic_types[KIND], to.ref); \
  }
TAKT_CLASSIC_DEFINE(boolean, tk_boolean)
TAKT_CLASSIC_DEFINE(char, tk_char)
TAKT_CLASSIC_DEFINE(wchar, tk_wchar)
TAKT_CLASSIC_DEFINE(octet, tk_octet)
#undef TAKT_CLASSIC_DEFINE
void operator<<=(Any& any, const Any::from_string& from) {
  takt::classic::insert_wrapped_text<Char>(any, from);
}
void operator<<=(Any& any, const Any::from_wstring& from) {
  takt::classic::insert_wrapped_text<WChar>(any, from);
}
Boolean operator>>=(const Any& any, const Any::to_string& to) {
  return takt::classic::extract_text<Char>(any, to.val, to.bound);
}
Boolean operator>>=(const Any& any, const Any::to_wstring& to) {
  return takt::classic::extract_text<WChar>(any, to.val, to.bound);
}
void operator<<=(Any& any, const Any::from_fixed& from) {
  const takt::classic::OwnType type(bridge::fixed_type(from.digits, from.scale));
  const takt::classic::LimitedNumber number = {
      takt::classic::decimal::limited(from.val._takt_words(), from.digits, from.scale), from.digits,
      from.scale};
  const auto write = [](takt::classic::Writer& out, const void* of) {
    const auto& value = *static_cast<const takt::classic::LimitedNumber*>(of);
    takt::classic::write_fixed(out, value.words, value.digits, value.scale);
  };
  any._takt_replace(bridge::make(*type, write, &number, nullptr));
}
Boolean operator>>=(const Any& any, const Any::to_fixed& to) {
  const takt::classic::OwnType type(bridge::fixed_type(to.digits, to.scale));
  if (!bridge::holds(any._takt_handle(), *type)) return false;
  takt::classic::LimitedNumber number = {{0, 0, 0}, to.digits, to.scale};
  const auto read = [](takt::classic::Reader& in, void* into) {
    auto& value = *static_cast<takt::classic::LimitedNumber*>(into);
    takt::classic::read_fixed(in, value.words, value.digits, value.scale);
  };
  if (!takt::classic::extract(any, read, &number)) return false;
  to.val = Fixed(number.words);
  return true;
}
Boolean operator>>=(const Any& any, const Any::to_object& to) {
  if (!bridge::holds_object(any._takt_handle())) return false;
  Object_var read;
  const auto into = [](takt::classic::Reader& in, void* value) {
    takt::classic::read_object(in, static_cast<Object_var*>(value)->inout());
  };
  if (!takt::classic::extract(any, into, &read)) return false;
  to.ref = read._retn();
  return true;
}

}  // namespace takt_classic_
}  // namespace CORBA
