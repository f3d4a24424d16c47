// How much clients may ask of a naming service.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace takt::naming {

// What goes beyond gets the exception that the comment names.
struct Limits {
  std::size_t component_bytes = 1024;       // id and kind of one component together; InvalidName
  std::size_t components = 64;              // of one name; InvalidName
  std::size_t reference_bytes = 16 * 1024;  // of a bound object's IOR; IMP_LIMIT
  std::uint64_t bindings = 4'000'000;       // in all contexts; IMP_LIMIT
  std::uint64_t contexts = 1'000'000;       // bound or not; IMP_LIMIT
  std::uint32_t listed = 1000;              // bindings in one reply; the others come by the iterator
  std::size_t iterators = 1000;             // the one that was unused longest ends for a new one
  std::chrono::seconds iterator_idle{300};  // an iterator that is not used for so long ends
  std::size_t federated_calls = 64;         // to other services at a time; TRANSIENT
  std::chrono::milliseconds federated_timeout{5000};  // of one of these; CannotProceed
};

}  // namespace takt::naming
