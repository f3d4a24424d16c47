// Values whose references are counted by another mapping.
#pragma once

namespace takt::cdr {

// Implemented by a CORBA::ValueBase that stands for a value of another mapping. Such values refer to each
// other by that mapping's counts, which shared_ptr does not know.
class CountedElsewhere {
 public:
  // References to the other value, without the one that this stand-in holds. At the end of a message, a value
  // all of whose references are those of other values in the message is taken apart.
  virtual long references() const = 0;

 protected:
  ~CountedElsewhere() = default;
};

}  // namespace takt::cdr
