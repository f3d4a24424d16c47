// The base of the _out types of strings, references, values and arrays. C++14.
#pragma once

namespace takt {
namespace classic {

// Refers to the caller's pointer, through which a call gives its result.
template <class Pointer>
class OutPointer {
 public:
  operator Pointer&() { return pointer_; }
  Pointer& ptr() { return pointer_; }

 protected:
  OutPointer(Pointer& pointer, Pointer initial) : pointer_(pointer) { pointer_ = initial; }
  explicit OutPointer(Pointer& pointer) : pointer_(pointer) {}  // a _var's, which out() has set
  OutPointer(const OutPointer&) = default;
  OutPointer& operator=(const OutPointer& other) {
    pointer_ = other.pointer_;
    return *this;
  }
  Pointer& pointer_;
};

}  // namespace classic
}  // namespace takt
