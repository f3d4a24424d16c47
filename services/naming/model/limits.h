// Limits on what clients may ask of a naming service.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace takt::naming {

// Each comment names the exception that a client gets for exceeding the limit.
struct Limits {
  std::size_t component_bytes = 1024;                 // id and kind of a component together; InvalidName
  std::size_t components = 64;                        // components of a name; InvalidName
  std::size_t reference_bytes = 16 * 1024;            // IOR of a bound object; IMP_LIMIT
  std::uint64_t bindings = 4'000'000;                 // in all contexts; IMP_LIMIT
  std::uint64_t total_bytes = 4ULL << 30;             // names and references together; IMP_LIMIT
  std::uint64_t contexts = 1'000'000;                 // bound or not; IMP_LIMIT
  std::uint32_t listed = 1000;                        // bindings in one reply; an iterator returns the rest
  std::size_t iterators = 1000;                       // a new one ends the one that has been unused longest
  std::chrono::milliseconds iterator_idle{300'000};   // idle time after which an iterator ends
  std::size_t federated_calls = 64;                   // concurrent calls to other services; TRANSIENT
  std::chrono::milliseconds federated_timeout{5000};  // timeout of such a call; CannotProceed
};

}  // namespace takt::naming
