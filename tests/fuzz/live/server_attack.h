// Hostile clients of one server.
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

class ServerAttack {
 public:
  ServerAttack(const Surroundings& surroundings, const Captures& captures, Report& report,
               std::string_view architecture, std::vector<Carrier> carriers);

  // Has the conversations of `count` seeds from `seed` on, until the time is over. Returns how many it had.
  std::uint64_t run(std::uint64_t seed, std::uint64_t count, std::chrono::steady_clock::time_point until);
  void replay(std::span<const Conversation> conversations);
  std::size_t octets() const { return octets_; }

 private:
  void start();
  void hold(std::span<const Conversation> conversations);
  std::optional<Complaint> attack(std::span<const Conversation> conversations);
  std::string ask();
  std::optional<Complaint> open_up(std::span<const Conversation> conversations);
  // Finds the conversation at fault by repeating each alone with a new server.
  void confirm(const Complaint& complaint, std::span<const Conversation> conversations);
  std::string target(std::span<const Conversation> conversations) const;

  const Surroundings& surroundings_;
  const Captures& captures_;
  Report& report_;
  const std::string architecture_;
  const std::vector<Carrier> carriers_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Watcher> watcher_;
  std::size_t octets_ = 0;
  unsigned checks_ = 0;
};

}  // namespace takt::fuzz::live
