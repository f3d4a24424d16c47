// Strings of the classic mapping: their memory, _var, _out, and members of other types. C++14.
#pragma once

#include <cstddef>

#include <takt/classic/basic_types.h>
#include <takt/classic/out_pointer.h>
#include <takt/classic/wire.h>

namespace CORBA {
inline namespace takt_classic_ {

// Memory for `length` characters and the terminating zero. Null is freed without effect.
char* string_alloc(ULong length);
char* string_dup(const char* text);  // null for null
void string_free(char* text);
WChar* wstring_alloc(ULong length);
WChar* wstring_dup(const WChar* text);
void wstring_free(WChar* text);

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

// The functions in which strings and wide strings differ.
template <class C>
struct Text;
template <>
struct Text<char> {
  static char* copy(const char* text) { return CORBA::string_dup(text); }
  static void free(char* text) { CORBA::string_free(text); }
  static char* empty();  // a shared empty string; free() leaves it alone
  static void write(Writer& out, const char* text, std::uint32_t bound) { write_string(out, text, bound); }
  static void read(Reader& in, char*& text, std::uint32_t bound) { read_string(in, text, bound); }
};
template <>
struct Text<wchar_t> {
  static wchar_t* copy(const wchar_t* text) { return CORBA::wstring_dup(text); }
  static void free(wchar_t* text) { CORBA::wstring_free(text); }
  static wchar_t* empty();
  static void write(Writer& out, const wchar_t* text, std::uint32_t bound) {
    write_wstring(out, text, bound);
  }
  static void read(Reader& in, wchar_t*& text, std::uint32_t bound) { read_wstring(in, text, bound); }
};
[[noreturn]] void raise_index();  // BAD_PARAM: an index beyond the length

template <class C>
class TextElement;

// An element of a const sequence of strings where the program's headers are omniORB's or TAO's, whose class
// has in(). Lent by the sequence. The tag makes functions that return it different symbols from those that
// return a const C*.
template <class C>
class __attribute__((abi_tag("in"))) ConstText {
 public:
  ConstText(const C* text) : text_(text) {}
  operator const C*() const { return text_; }
  C operator[](CORBA::ULong at) const { return text_[at]; }
  const C* in() const { return text_; }

 private:
  const C* text_;
};

// String_var and WString_var: owns a string, null by default. C* is taken over, const C* copied.
template <class C>
class TextVar {
 public:
  TextVar() : text_(nullptr) {}
  TextVar(C* text) : text_(text) {}
  TextVar(const C* text) : text_(Text<C>::copy(text)) {}
  TextVar(const TextVar& from) : text_(Text<C>::copy(from.text_)) {}
  TextVar(const TextElement<C>& from) : text_(Text<C>::copy(from.in())) {}
  TextVar(const ConstText<C>& from) : text_(Text<C>::copy(from.in())) {}
  ~TextVar() { Text<C>::free(text_); }
  TextVar& operator=(C* text) {
    if (text != text_) replace(text);
    return *this;
  }
  TextVar& operator=(const C* text) { return replace(Text<C>::copy(text)); }
  TextVar& operator=(const TextVar& from) {
    return &from == this ? *this : replace(Text<C>::copy(from.text_));
  }
  TextVar& operator=(const TextElement<C>& from) { return replace(Text<C>::copy(from.in())); }
  TextVar& operator=(const ConstText<C>& from) { return replace(Text<C>::copy(from.in())); }

  operator C*&() { return text_; }
  operator const C*() const { return text_; }
  C& operator[](CORBA::ULong at) { return text_ ? text_[at] : (raise_index(), *text_); }
  C operator[](CORBA::ULong at) const { return text_ ? text_[at] : (raise_index(), *text_); }
  const C* in() const { return text_; }
  C*& inout() { return text_; }
  C*& out() {
    replace(nullptr);
    return text_;
  }
  C* _retn() {
    C* const text = text_;
    text_ = nullptr;
    return text;
  }

 private:
  TextVar& replace(C* text) {
    Text<C>::free(text_);
    text_ = text;
    return *this;
  }
  C* text_;
};

// String_out: sets the caller's pointer to null.
template <class C>
class TextOut : public OutPointer<C*> {
 public:
  TextOut(C*& text) : OutPointer<C*>(text, nullptr) {}
  TextOut(TextVar<C>& var) : OutPointer<C*>(var.out()) {}
  TextOut(const TextOut&) = default;
  TextOut& operator=(const TextOut&) = default;
  TextOut& operator=(C* text) {
    this->pointer_ = text;
    return *this;
  }
  TextOut& operator=(const C* text) { return *this = Text<C>::copy(text); }
  TextOut& operator=(const ConstText<C>& from) { return *this = from.in(); }
  TextOut& operator=(const TextVar<C>&) = delete;  // ownership would be unclear
};

// A string in a struct, an exception or an array: as a _var, but empty by default.
template <class C>
class TextMember : public TextVar<C> {
  typedef TextVar<C> Var;

 public:
  TextMember() : Var(Text<C>::empty()) {}
  TextMember(const TextMember& from) : Var(static_cast<const Var&>(from)) {}
  TextMember(TextMember&& from) noexcept : Var(from._retn()) {}
  TextMember(const C* text) : Var(text) {}
  using Var::operator=;
  TextMember& operator=(const TextMember& from) {
    Var::operator=(static_cast<const Var&>(from));
    return *this;
  }
  TextMember& operator=(TextMember&& from) noexcept {
    Var::operator=(from._retn());
    return *this;
  }

  C* _retn() {
    C* const text = this->inout();
    this->inout() = Text<C>::empty();
    return text;
  }
  void _takt_write(Writer& out) const { Text<C>::write(out, this->in(), 0); }
  void _takt_read(Reader& in) { Text<C>::read(in, this->inout(), 0); }
};

// A bounded string in an array, which is written and read element by element. For other members the generated
// code names the bound.
template <class C, CORBA::ULong Bound>
class BoundedTextMember : public TextMember<C> {
 public:
  BoundedTextMember() {}
  BoundedTextMember(const C* text) : TextMember<C>(text) {}
  using TextMember<C>::operator=;
  void _takt_write(Writer& out) const { Text<C>::write(out, this->in(), Bound); }
  void _takt_read(Reader& in) { Text<C>::read(in, this->inout(), Bound); }
};

// An element of a sequence of strings. Whether assignment frees the old string is the sequence's release
// flag.
template <class C>
class TextElement {
 public:
  TextElement(C*& text, bool release) : text_(text), release_(release) {}
  TextElement(const TextElement&) = default;
  TextElement& operator=(C* text) {
    if (text != text_) replace(text);
    return *this;
  }
  TextElement& operator=(const C* text) { return replace(Text<C>::copy(text)); }
  TextElement& operator=(const TextElement& from) {
    return from.text_ == text_ ? *this : replace(Text<C>::copy(from.text_));
  }
  TextElement& operator=(const TextVar<C>& from) { return replace(Text<C>::copy(from.in())); }
  TextElement& operator=(const ConstText<C>& from) { return replace(Text<C>::copy(from.in())); }

  operator C*&() const { return text_; }
  C& operator[](CORBA::ULong at) const { return text_[at]; }
  const C* in() const { return text_; }
  C*& inout() const { return text_; }
  C*& out() const {
    replace_with(nullptr);
    return text_;
  }
  C* _retn() const {
    C* const text = text_;
    text_ = Text<C>::empty();
    return text;
  }

 private:
  void replace_with(C* text) const {
    if (release_) Text<C>::free(text_);
    text_ = text;
  }
  TextElement& replace(C* text) {
    replace_with(text);
    return *this;
  }
  C*& text_;
  bool release_;
};

typedef TextMember<char> String_member;
typedef TextMember<wchar_t> WString_member;

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

typedef takt::classic::TextVar<char> String_var;
typedef takt::classic::TextOut<char> String_out;
typedef takt::classic::TextVar<wchar_t> WString_var;
typedef takt::classic::TextOut<wchar_t> WString_out;
typedef Char* String;

}  // namespace takt_classic_
}  // namespace CORBA
