// Sequences of the classic mapping, bounded and unbounded. C++14.
//
// A sequence owns its buffer if its release flag is set. A buffer that it shall own comes from allocbuf().
// Without the flag a length beyond the maximum makes a copy, which it owns. Wrong indices and lengths throw
// BAD_PARAM.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include <takt/classic/array.h>
#include <takt/classic/element_iterator.h>
#include <takt/classic/object.h>

namespace takt {
namespace classic {

// An element of a sequence of references. Whether assignment releases the old one is the sequence's release
// flag. The elements of const sequences are const.
template <class T>
class ObjectElement {
 public:
  ObjectElement(T*& object, bool release) : object_(object), release_(release) {}
  ObjectElement(const ObjectElement&) = default;
  ObjectElement& operator=(T* object) { return replace(object); }
  ObjectElement& operator=(const ObjectElement& from) {
    return from.object_ == object_ ? *this : replace(Handles<T>::duplicate(from.object_));
  }
  ObjectElement& operator=(const ObjectVar<T>& from) { return replace(Handles<T>::duplicate(from.in())); }
  T* operator->() const { return object_ ? object_ : Handles<T>::nil(); }
  operator T*() const { return object_; }
  operator T*&() { return object_; }
  T* in() const { return object_; }
  T*& inout() { return object_; }
  T*& out() {
    replace(Handles<T>::nil());
    return object_;
  }
  T* _retn() {
    T* const object = object_;
    object_ = Handles<T>::nil();
    return object;
  }

 private:
  ObjectElement& replace(T* object) {
    if (release_) Handles<T>::release(object_);
    object_ = object;
    return *this;
  }
  T*& object_;
  bool release_;
};

// Elements that are plain values. Texts and Objects below have the same members. They say how a buffer is
// made and freed, and what operator[] returns.
template <class T>
struct Values {
  typedef T Stored;
  typedef T& Access;
  typedef const T& ConstAccess;
  static T* allocate(CORBA::ULong count) { return new T[count](); }
  static void free(T* buffer) { delete[] buffer; }
  static Access access(T& stored, bool) { return stored; }
  static ConstAccess access(const T& stored) { return stored; }
  static void copy(T* to, const T* from, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) to[i] = from[i];
  }
  static void move(T* to, T* from, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) to[i] = std::move(from[i]);
  }
  static void clear(T* from, CORBA::ULong count) {
    if (!IsBasic<T>::value && !std::is_enum<T>::value)
      for (CORBA::ULong i = 0; i < count; ++i) from[i] = T();
  }
  template <class Of, class Element>
  static Element* iterator(Of&, Element* buffer, CORBA::ULong at) {
    return buffer + at;
  }
  static void write(Writer& out, const T* buffer, CORBA::ULong count) { write_array(out, buffer, count); }
  static void read(Reader& in, T* buffer, CORBA::ULong count) { read_array(in, buffer, count); }
};

// Pointers to what is counted or freed one by one. The buffer's length is kept before it, for free().
template <class Pointer, class Derived>
struct Pointers {
  typedef Pointer Stored;
  static Pointer* allocate(CORBA::ULong count) {
    void* const memory = ::operator new(header + count * sizeof(Pointer));
    *static_cast<CORBA::ULong*>(memory) = count;
    Pointer* const buffer = reinterpret_cast<Pointer*>(static_cast<char*>(memory) + header);
    for (CORBA::ULong i = 0; i < count; ++i) buffer[i] = Derived::initial();
    return buffer;
  }
  static void free(Pointer* buffer) {
    if (!buffer) return;
    char* const memory = reinterpret_cast<char*>(buffer) - header;
    const CORBA::ULong count = *reinterpret_cast<CORBA::ULong*>(memory);
    for (CORBA::ULong i = 0; i < count; ++i) Derived::drop(buffer[i]);
    ::operator delete(memory);
  }
  static void copy(Pointer* to, const Pointer* from, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) {
      Derived::drop(to[i]);
      to[i] = Derived::duplicate(from[i]);
    }
  }
  static void move(Pointer* to, Pointer* from, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) std::swap(to[i], from[i]);
  }
  static void clear(Pointer* from, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) {
      Derived::drop(from[i]);
      from[i] = Derived::initial();
    }
  }
  template <class Of, class Element>
  static ElementIterator<Of> iterator(Of& sequence, Element*, CORBA::ULong at) {
    return ElementIterator<Of>(sequence, at);
  }

 private:
  static const std::size_t header = sizeof(double);
};

template <class C, CORBA::ULong Bound = 0>
struct Texts : Pointers<C*, Texts<C, Bound>> {
  typedef TextElement<C> Access;
#ifdef TAKT_CLASSIC_TEXTS_HAVE_IN
  typedef ConstText<C> ConstAccess;
#else
  typedef const C* ConstAccess;
#endif
  static C* initial() { return Text<C>::empty(); }
  static void drop(C* text) { Text<C>::free(text); }
  static C* duplicate(const C* text) { return Text<C>::copy(text); }
  static Access access(C*& stored, bool release) { return Access(stored, release); }
  static ConstAccess access(const C* stored) { return stored; }
  static void write(Writer& out, C* const* buffer, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) Text<C>::write(out, buffer[i], Bound);
  }
  static void read(Reader& in, C** buffer, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count && good(in); ++i) Text<C>::read(in, buffer[i], Bound);
  }
};

template <class T>
struct Objects : Pointers<T*, Objects<T>> {
  typedef ObjectElement<T> Access;
  typedef const ObjectElement<T> ConstAccess;
  static T* initial() { return Handles<T>::nil(); }
  static void drop(T* object) { Handles<T>::release(object); }
  static T* duplicate(T* object) { return Handles<T>::duplicate(object); }
  static Access access(T*& stored, bool release) { return Access(stored, release); }
  static ConstAccess access(T* const& stored) { return Access(const_cast<T*&>(stored), false); }
  static void write(Writer& out, T* const* buffer, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) Handles<T>::write(out, buffer[i]);
  }
  static void read(Reader& in, T** buffer, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count && good(in); ++i) {
      T* const read = Handles<T>::read(in);
      Handles<T>::release(buffer[i]);
      buffer[i] = read;
    }
  }
};

// Arrays. An element is the array itself, so that it can be indexed, and passed as a slice.
template <class Array>
struct ArrayElements {
  typedef Array Stored;
  typedef Array& Access;
  typedef const Array& ConstAccess;
  static Array* allocate(CORBA::ULong count) { return new Array[count](); }
  static void free(Array* buffer) { delete[] buffer; }
  static Access access(Array& stored, bool) { return stored; }
  static ConstAccess access(const Array& stored) { return stored; }
  static void copy(Array* to, const Array* from, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) copy_array(to[i], from[i]);
  }
  static void move(Array* to, Array* from, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) move_array(to[i], from[i]);
  }
  static void clear(Array* from, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i) clear_array(from[i]);
  }
  template <class Of, class Element>
  static Element* iterator(Of&, Element* buffer, CORBA::ULong at) {
    return buffer + at;
  }
  static void write(Writer& out, const Array* buffer, CORBA::ULong count) { write_array(out, buffer, count); }
  static void read(Reader& in, Array* buffer, CORBA::ULong count) { read_array(in, buffer, count); }
};

// `Bound` 0: unbounded. A bounded sequence's maximum is its bound.
template <class Elements, CORBA::ULong Bound>
class Sequence {
 public:
  typedef typename Elements::Stored Stored;
  typedef Stored value_type;
  typedef CORBA::ULong size_type;
  typedef decltype(Elements::iterator(std::declval<Sequence&>(), static_cast<Stored*>(nullptr), 0)) iterator;
  typedef decltype(Elements::iterator(std::declval<const Sequence&>(), static_cast<const Stored*>(nullptr),
                                      0)) const_iterator;

  Sequence() : capacity_(0), length_(0), release_(true), buffer_(nullptr) {}
  explicit Sequence(CORBA::ULong maximum)
      : capacity_(maximum),
        length_(0),
        release_(true),
        buffer_(maximum ? Elements::allocate(maximum) : nullptr) {
    static_assert(Bound == 0, "a bounded sequence has its bound as its maximum");
  }
  Sequence(CORBA::ULong maximum, CORBA::ULong length, Stored* data, CORBA::Boolean release = false)
      : capacity_(maximum), length_(0), release_(release), buffer_(data) {
    static_assert(Bound == 0, "a bounded sequence has its bound as its maximum");
    check(length <= maximum && (data || !length));
    length_ = length;
  }
  Sequence(const Sequence& from) : capacity_(from.capacity_), length_(0), release_(true), buffer_(nullptr) {
    copy(from);
  }
  Sequence(Sequence&& from) noexcept
      : capacity_(from.capacity_), length_(from.length_), release_(from.release_), buffer_(from.buffer_) {
    from.forget();
  }
  ~Sequence() {
    if (release_) Elements::free(buffer_);
  }
  // Elements that are classes, or arrays of them, may have `from` as a part, so that it is copied before they
  // are destroyed.
  Sequence& operator=(const Sequence& from) {
    if (&from == this) return *this;
    if (!std::is_class<typename std::remove_all_extents<Stored>::type>::value) {
      copy(from);
      return *this;
    }
    Sequence copied(from);
    swap(copied);
    return *this;
  }

  CORBA::ULong maximum() const { return Bound ? Bound : capacity_; }
  CORBA::ULong length() const { return length_; }
  // Grows geometrically; new elements have their initial value, except numbers in a buffer that had room.
  void length(CORBA::ULong length) {
    check(Bound == 0 || length <= Bound);
    if (length > capacity_ || (!buffer_ && length))
      grow(length);
    else if (length < length_ && release_)
      Elements::clear(buffer_ + length, length_ - length);
    length_ = length;
  }
  CORBA::Boolean release() const { return release_; }

  typename Elements::Access operator[](CORBA::ULong index) {
    check(index < length_);
    return Elements::access(buffer_[index], release_);
  }
  typename Elements::ConstAccess operator[](CORBA::ULong index) const {
    check(index < length_);
    return Elements::access(static_cast<const Stored&>(buffer_[index]));
  }

  // TAO's additions, with swap(). A new length makes iterators invalid.
  iterator begin() { return Elements::iterator(*this, buffer_, 0); }
  iterator end() { return Elements::iterator(*this, buffer_, length_); }
  const_iterator begin() const { return Elements::iterator(*this, get_buffer(), 0); }
  const_iterator end() const { return Elements::iterator(*this, get_buffer(), length_); }
  void swap(Sequence& other) noexcept {
    std::swap(capacity_, other.capacity_);
    std::swap(length_, other.length_);
    std::swap(release_, other.release_);
    std::swap(buffer_, other.buffer_);
  }

  // With `orphan` the caller gets the buffer, for freebuf(), and the sequence is empty; null if it does not
  // own it.
  Stored* get_buffer(CORBA::Boolean orphan = false) {
    if (buffer_ ? capacity_ < maximum() : maximum() != 0) grow(maximum());
    if (!orphan) return buffer_;
    if (!release_) return nullptr;
    Stored* const buffer = buffer_;
    forget();
    return buffer;
  }
  const Stored* get_buffer() const { return buffer_; }

  static Stored* allocbuf(CORBA::ULong count) { return Elements::allocate(count); }
  static void freebuf(Stored* buffer) { Elements::free(buffer); }

  void _takt_write(Writer& out) const {
    write_count(out, length_);
    Elements::write(out, buffer_, length_);
  }
  void _takt_read(Reader& in) {
    const CORBA::ULong count = read_count(in, Bound);
    if (!release_) forget();  // the elements are the lender's
    length(0);
    for (CORBA::ULong done = 0; done < count && good(in);) {
      const CORBA::ULong room = room_ahead(in, count, done, sizeof(Stored));
      length(done + room);
      Elements::read(in, buffer_ + done, room);
      leave_room_ahead(in, room * sizeof(Stored));
      done += room;
    }
  }

 protected:
  void take(CORBA::ULong maximum, CORBA::ULong length, Stored* data, CORBA::Boolean release) {
    check(length <= maximum && (Bound == 0 || length <= Bound) && (data || !length));
    if (release_) Elements::free(buffer_);
    capacity_ = maximum;
    length_ = length;
    buffer_ = data;
    release_ = release;
  }

 private:
  static void check(bool right) {
    if (!right) raise_index();
  }
  void forget() {
    capacity_ = 0;
    length_ = 0;
    release_ = true;
    buffer_ = nullptr;
  }
  void copy(const Sequence& from) {
    const CORBA::ULong old_length = length_;
    length_ = 0;
    if (from.length_ > capacity_ || !release_ || (!buffer_ && from.length_)) {
      Stored* const buffer = from.capacity_ ? Elements::allocate(from.capacity_) : nullptr;
      if (release_) Elements::free(buffer_);
      buffer_ = buffer;
      capacity_ = from.capacity_;
      release_ = true;
    } else if (from.length_ < old_length) {
      Elements::clear(buffer_ + from.length_, old_length - from.length_);
    }
    Elements::copy(buffer_, from.buffer_, from.length_);
    length_ = from.length_;
  }
  void grow(CORBA::ULong least) {
    CORBA::ULong capacity = least < 2 * length_ ? 2 * length_ : least;
    if (Bound && capacity > Bound) capacity = Bound;
    Stored* const buffer = Elements::allocate(capacity);
    if (release_) {
      Elements::move(buffer, buffer_, length_);
      Elements::free(buffer_);
    } else {
      Elements::copy(buffer, buffer_, length_);
    }
    buffer_ = buffer;
    capacity_ = capacity;
    release_ = true;
  }

  CORBA::ULong capacity_;  // elements in the buffer; may be less than the bound until get_buffer()
  CORBA::ULong length_;
  bool release_;
  Stored* buffer_;
};

template <class Elements>
class UnboundedSequence : public Sequence<Elements, 0> {
  typedef Sequence<Elements, 0> Base;

 public:
  UnboundedSequence() {}
  explicit UnboundedSequence(CORBA::ULong maximum) : Base(maximum) {}
  UnboundedSequence(CORBA::ULong maximum, CORBA::ULong length, typename Base::Stored* data,
                    CORBA::Boolean release = false)
      : Base(maximum, length, data, release) {}
  void replace(CORBA::ULong maximum, CORBA::ULong length, typename Base::Stored* data,
               CORBA::Boolean release = false) {
    this->take(maximum, length, data, release);
  }
};

template <class Elements, CORBA::ULong Bound>
class BoundedSequence : public Sequence<Elements, Bound> {
  typedef Sequence<Elements, Bound> Base;

 public:
  BoundedSequence() {}
  BoundedSequence(CORBA::ULong length, typename Base::Stored* data, CORBA::Boolean release = false) {
    replace(length, data, release);
  }
  void replace(CORBA::ULong length, typename Base::Stored* data, CORBA::Boolean release = false) {
    this->take(Bound, length, data, release);
  }
};

// T_var of a struct, union or sequence: owns one on the heap. Null by default.
template <class T>
class ValueVar {
 public:
  ValueVar() : value_(nullptr) {}
  ValueVar(T* value) : value_(value) {}
  ValueVar(const T& value) : value_(new T(value)) {}  // for types of fixed length
  ValueVar(const ValueVar& from) : value_(from.value_ ? new T(*from.value_) : nullptr) {}
  ~ValueVar() { delete value_; }
  ValueVar& operator=(T* value) {
    if (value != value_) delete value_;
    value_ = value;
    return *this;
  }
  ValueVar& operator=(const T& value) { return *this = new T(value); }
  ValueVar& operator=(const ValueVar& from) {
    return &from == this ? *this : *this = from.value_ ? new T(*from.value_) : nullptr;
  }

  T* operator->() const { return value_; }
  T& operator*() const { return *value_; }
  operator T&() const { return *value_; }
#ifdef TAKT_CLASSIC_VARS_ARE_POINTERS
  operator T*&() { return value_; }  // as with TAO
#endif
  const T& in() const { return *value_; }
  T& inout() { return *value_; }
  T*& out() {
    delete value_;
    value_ = nullptr;
    return value_;
  }
  T* _retn() {
    T* const value = value_;
    value_ = nullptr;
    return value;
  }
  T* ptr() const { return value_; }

 private:
  T* value_;
};

// A sequence's _var, which has its elements.
template <class T>
class SequenceVar : public ValueVar<T> {
 public:
  SequenceVar() {}
  SequenceVar(T* value) : ValueVar<T>(value) {}
  SequenceVar(const SequenceVar& from) : ValueVar<T>(static_cast<const ValueVar<T>&>(from)) {}
  SequenceVar& operator=(T* value) {
    ValueVar<T>::operator=(value);
    return *this;
  }
  SequenceVar& operator=(const SequenceVar& from) {
    ValueVar<T>::operator=(static_cast<const ValueVar<T>&>(from));
    return *this;
  }
  // A template, so that the index of a pointer is no better choice for any type.
  template <class Index>
  auto operator[](Index index) const -> decltype(std::declval<T&>()[0]) {
    return (*this->ptr())[static_cast<CORBA::ULong>(index)];
  }
};

// T_var of a struct or union of fixed length: out() is a T&, and _retn() a T.
template <class T>
class FixedVar : public ValueVar<T> {
 public:
  using ValueVar<T>::ValueVar;
  FixedVar() {}
  FixedVar(const FixedVar&) = default;
  using ValueVar<T>::operator=;
  FixedVar& operator=(const FixedVar&) = default;
  FixedVar& operator=(const T& value) {
    inout() = value;
    return *this;
  }
  T& inout() {
    if (!this->ptr()) ValueVar<T>::operator=(new T());
    return *this->ptr();
  }
  T& out() { return inout(); }
  T _retn() { return *this->ptr(); }
};

// T_out of a struct, union or sequence of variable length: sets the caller's pointer to null.
template <class T, class Var = ValueVar<T>>
class ValueOut : public OutPointer<T*> {
 public:
  ValueOut(T*& value) : OutPointer<T*>(value, nullptr) {}
  ValueOut(Var& var) : OutPointer<T*>(var.out()) {}
  ValueOut(const ValueOut&) = default;
  ValueOut& operator=(const ValueOut&) = default;
  ValueOut& operator=(T* value) {
    this->pointer_ = value;
    return *this;
  }
  T* operator->() { return this->pointer_; }

 private:
  ValueOut& operator=(const Var&);  // ownership would be unclear
};

// A sequence's _out, which has its elements, as with TAO.
template <class T>
class SequenceOut : public ValueOut<T, SequenceVar<T>> {
  typedef ValueOut<T, SequenceVar<T>> Base;

 public:
  using Base::Base;
  SequenceOut(const SequenceOut&) = default;
  SequenceOut& operator=(const SequenceOut&) = default;
  SequenceOut& operator=(T* value) {
    this->pointer_ = value;
    return *this;
  }
  SequenceOut& operator=(const SequenceVar<T>&) = delete;  // ownership would be unclear
  template <class Index>
  auto operator[](Index index) -> decltype(std::declval<T&>()[0]) {
    return (*this->pointer_)[static_cast<CORBA::ULong>(index)];
  }
};

// Throws BAD_PARAM (in the server) where a servant left a null pointer for a value; frees the value
// otherwise.
[[noreturn]] void raise_null_value();
// Throws BAD_PARAM: a union's discriminator was set to one of another member.
[[noreturn]] void raise_discriminator();
template <class T>
const T& present(T* value) {
  if (!value) raise_null_value();
  return *value;
}

}  // namespace classic
}  // namespace takt

#define TAKT_CLASSIC_SEQUENCE(NAME, ...)                                                                \
  class NAME : public ::takt::classic::UnboundedSequence<__VA_ARGS__> {                                 \
    typedef ::takt::classic::UnboundedSequence<__VA_ARGS__> Base;                                       \
                                                                                                        \
   public:                                                                                              \
    NAME() {}                                                                                           \
    explicit NAME(::CORBA::ULong maximum) : Base(maximum) {}                                            \
    NAME(::CORBA::ULong maximum, ::CORBA::ULong length, Stored* data, ::CORBA::Boolean release = false) \
        : Base(maximum, length, data, release) {}                                                       \
  };                                                                                                    \
  typedef ::takt::classic::SequenceVar<NAME> NAME##_var;                                                \
  typedef ::takt::classic::SequenceOut<NAME> NAME##_out;

#define TAKT_CLASSIC_BOUNDED_SEQUENCE(NAME, BOUND, ...)                         \
  class NAME : public ::takt::classic::BoundedSequence<__VA_ARGS__, BOUND> {    \
    typedef ::takt::classic::BoundedSequence<__VA_ARGS__, BOUND> Base;          \
                                                                                \
   public:                                                                      \
    NAME() {}                                                                   \
    NAME(::CORBA::ULong length, Stored* data, ::CORBA::Boolean release = false) \
        : Base(length, data, release) {}                                        \
  };                                                                            \
  typedef ::takt::classic::SequenceVar<NAME> NAME##_var;                        \
  typedef ::takt::classic::SequenceOut<NAME> NAME##_out;

namespace CORBA {
inline namespace takt_classic_ {

TAKT_CLASSIC_SEQUENCE(BooleanSeq, takt::classic::Values<Boolean>)
TAKT_CLASSIC_SEQUENCE(CharSeq, takt::classic::Values<Char>)
TAKT_CLASSIC_SEQUENCE(WCharSeq, takt::classic::Values<WChar>)
TAKT_CLASSIC_SEQUENCE(OctetSeq, takt::classic::Values<Octet>)
TAKT_CLASSIC_SEQUENCE(ShortSeq, takt::classic::Values<Short>)
TAKT_CLASSIC_SEQUENCE(UShortSeq, takt::classic::Values<UShort>)
TAKT_CLASSIC_SEQUENCE(LongSeq, takt::classic::Values<Long>)
TAKT_CLASSIC_SEQUENCE(ULongSeq, takt::classic::Values<ULong>)
TAKT_CLASSIC_SEQUENCE(LongLongSeq, takt::classic::Values<LongLong>)
TAKT_CLASSIC_SEQUENCE(ULongLongSeq, takt::classic::Values<ULongLong>)
TAKT_CLASSIC_SEQUENCE(FloatSeq, takt::classic::Values<Float>)
TAKT_CLASSIC_SEQUENCE(DoubleSeq, takt::classic::Values<Double>)
TAKT_CLASSIC_SEQUENCE(LongDoubleSeq, takt::classic::Values<LongDouble>)
TAKT_CLASSIC_SEQUENCE(StringSeq, takt::classic::Texts<char>)
TAKT_CLASSIC_SEQUENCE(WStringSeq, takt::classic::Texts<wchar_t>)

}  // namespace takt_classic_
}  // namespace CORBA
