// Checks whether an attacked target lives, stays small and becomes idle.
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

// With sanitizers everything takes more memory and time, so the bounds are several times the documented ones.
class Watcher {
 public:
  static constexpr std::size_t most_during = 160U << 20;  // growth in octets while it is attacked
  static constexpr std::size_t most_after = 96U << 20;    // growth after all connections are closed

  explicit Watcher(Process& process) : process_(process), at_first_(process.resident_bytes()) {}

  std::optional<Complaint> death();
  // `held`: octets sent to it on connections that are open.
  std::optional<Complaint> growth_during(std::size_t held);
  // Waits until it has released its memory.
  std::optional<Complaint> growth_after();
  // Waits until it uses no processor time after it was sent `octets`.
  std::optional<Complaint> unrest(std::size_t octets);

 private:
  std::size_t growth() const;

  Process& process_;
  const std::size_t at_first_;
};

}  // namespace takt::fuzz::live
