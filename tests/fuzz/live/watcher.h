// Whether a target that is attacked lives, stays small and comes to rest.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "process.h"

namespace takt::fuzz::live {

struct Complaint {
  std::string kind;  // death, hang, growth, busy
  std::string what;
};

// Under the sanitizers everything takes more memory and time than it does otherwise, so the bounds are
// several times those that the documentation has.
class Watcher {
 public:
  static constexpr std::size_t most_during = 160U << 20;  // octets more than at first, while it is attacked
  static constexpr std::size_t most_after = 96U << 20;    // and once all connections are closed

  explicit Watcher(Process& process) : process_(process), at_first_(process.resident_bytes()) {}

  std::optional<Complaint> death();
  // `held`: octets that it has been sent on connections that are open.
  std::optional<Complaint> growth_during(std::size_t held);
  // Waits until it has given back what it had taken.
  std::optional<Complaint> growth_after();
  // Waits until it uses no processor time, after it has been sent `octets`.
  std::optional<Complaint> unrest(std::size_t octets);

 private:
  std::size_t growth() const;

  Process& process_;
  const std::size_t at_first_;
};

}  // namespace takt::fuzz::live
