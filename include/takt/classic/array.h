// Arrays of the classic mapping: what A_alloc(), A_var and the like are. C++14.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <takt/classic/basic_types.h>
#include <takt/classic/out_pointer.h>

namespace takt {
namespace classic {

template <class T>
void copy_array(T& to, const T& from) {
  to = from;
}
template <class T, std::size_t N>
void copy_array(T (&to)[N], const T (&from)[N]) {
  for (std::size_t i = 0; i < N; ++i) copy_array(to[i], from[i]);
}

template <class T>
void move_array(T& to, T& from) {
  to = std::move(from);
}
template <class T, std::size_t N>
void move_array(T (&to)[N], T (&from)[N]) {
  for (std::size_t i = 0; i < N; ++i) move_array(to[i], from[i]);
}

// Gives the elements their initial values.
template <class T>
void clear_array(T& of) {
  of = T();
}
template <class T, std::size_t N>
void clear_array(T (&of)[N]) {
  for (std::size_t i = 0; i < N; ++i) clear_array(of[i]);
}

// `Array` is A, such as CORBA::Long[3][4]; A_slice is then CORBA::Long[4].
template <class Array>
struct Arrays {
  typedef typename std::remove_extent<Array>::type Slice;
  static Slice* alloc() { return new Array(); }
  static void free(Slice* slice) { delete[] slice; }
  static void copy(Slice* to, const Slice* from) {
    for (std::size_t i = 0; i < std::extent<Array>::value; ++i) copy_array(to[i], from[i]);
  }
  static Slice* dup(const Slice* slice) {
    if (!slice) return nullptr;
    Slice* const made = alloc();
    copy(made, slice);
    return made;
  }
};

// A_var: owns an array on the heap. Null by default.
template <class Array, bool Variable>
class ArrayVar {
  typedef Arrays<Array> Of;

 public:
  typedef typename Of::Slice Slice;
  typedef typename std::conditional<Variable, Slice*&, Slice*>::type Out;

  ArrayVar() : slice_(nullptr) {}
  ArrayVar(Slice* slice) : slice_(slice) {}
  ArrayVar(const ArrayVar& from) : slice_(Of::dup(from.slice_)) {}
  ~ArrayVar() { Of::free(slice_); }
  ArrayVar& operator=(Slice* slice) {
    if (slice != slice_) Of::free(slice_);
    slice_ = slice;
    return *this;
  }
  ArrayVar& operator=(const ArrayVar& from) { return &from == this ? *this : *this = Of::dup(from.slice_); }

  Slice& operator[](CORBA::ULong index) { return slice_[index]; }
  const Slice& operator[](CORBA::ULong index) const { return slice_[index]; }
  operator Slice*() { return slice_; }
  operator const Slice*() const { return slice_; }
  const Slice* in() const { return slice_; }
  Slice* inout() { return slice_; }
  // An array of fixed length is filled in place; of one of variable length the callee gives a new one.
  Out out() {
    Of::free(slice_);
    slice_ = Variable ? nullptr : Of::alloc();
    return slice_;
  }
  Slice*& ptr() { return slice_; }
  Slice* _retn() {
    Slice* const slice = slice_;
    slice_ = nullptr;
    return slice;
  }

 private:
  Slice* slice_;
};

// A_out of an array of variable length: sets the caller's pointer to null.
template <class Array>
class ArrayOut : public OutPointer<typename Arrays<Array>::Slice*> {
  typedef typename Arrays<Array>::Slice Slice;
  typedef OutPointer<Slice*> Base;

 public:
  ArrayOut(Slice*& slice) : Base(slice, nullptr) {}
  ArrayOut(ArrayVar<Array, true>& var) : Base(var.out()) {}
  ArrayOut(const ArrayOut&) = default;
  ArrayOut& operator=(const ArrayOut&) = default;
  ArrayOut& operator=(Slice* slice) {
    this->pointer_ = slice;
    return *this;
  }
  Slice& operator[](CORBA::ULong index) { return this->pointer_[index]; }
};

}  // namespace classic
}  // namespace takt
