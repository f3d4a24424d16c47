// Iterators of sequences of the classic mapping whose elements are no C++ references. C++14.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include <takt/classic/basic_types.h>

namespace takt {
namespace classic {

// Goes through a sequence of strings or references. `*` gives what the sequence's operator[] gives, which is
// no C++ reference: algorithms that exchange elements do not compile.
template <class Of>
class ElementIterator {
 public:
  typedef std::input_iterator_tag iterator_category;
  typedef typename Of::value_type value_type;
  typedef std::ptrdiff_t difference_type;
  typedef void pointer;
  typedef decltype(std::declval<Of&>()[0]) reference;

  ElementIterator(Of& sequence, CORBA::ULong at) : sequence_(&sequence), at_(at) {}
  reference operator*() const { return (*sequence_)[at_]; }
  ElementIterator& operator++() {
    ++at_;
    return *this;
  }
  ElementIterator operator++(int) { return ElementIterator(*sequence_, at_++); }
  bool operator==(const ElementIterator& other) const { return at_ == other.at_; }
  bool operator!=(const ElementIterator& other) const { return at_ != other.at_; }

 private:
  Of* sequence_;
  CORBA::ULong at_;
};

}  // namespace classic
}  // namespace takt
