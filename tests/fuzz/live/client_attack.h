// A hostile server for one client.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "captures.h"
#include "report.h"
#include "target.h"
#include "watcher.h"

namespace takt::fuzz::live {

inline constexpr std::string_view strategies[] = {"exclusive", "cached", "multiplexed", "multiplexed-active"};

class ClientAttack {
 public:
  ClientAttack(const Surroundings& surroundings, const Captures& captures, Report& report,
               std::string_view strategy, std::vector<Carrier> carriers);
  ~ClientAttack();

  // As ServerAttack::run(); a conversation is the answer to one request.
  std::uint64_t run(std::uint64_t seed, std::uint64_t count, std::chrono::steady_clock::time_point until);
  void replay(std::span<const Conversation> conversations);
  std::size_t octets() const;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace takt::fuzz::live
