#include "notification_parts/store/targets.h"

#include <cstddef>

namespace takt::notification {
namespace {

constexpr std::size_t octets_of_target = 26;

// The least significant octet first.
void put(std::string& octets, std::uint64_t number, int count) {
  for (int i = 0; i < count; ++i) octets.push_back(static_cast<char>(number >> (8 * i)));
}

std::uint64_t get(std::string_view& octets, int count) {
  std::uint64_t number = 0;
  for (int i = 0; i < count; ++i)
    number |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(octets[static_cast<std::size_t>(i)]))
              << (8 * i);
  octets.remove_prefix(static_cast<std::size_t>(count));
  return number;
}

}  // namespace

std::string octets_of(const std::vector<StoredTarget>& targets) {
  std::string octets;
  octets.reserve(targets.size() * octets_of_target);
  for (const StoredTarget& each : targets) {
    put(octets, each.proxy, 8);
    put(octets, static_cast<std::uint16_t>(each.priority), 2);
    put(octets, static_cast<std::uint64_t>(each.start_ns), 8);
    put(octets, static_cast<std::uint64_t>(each.expiry_ns), 8);
  }
  return octets;
}

std::vector<StoredTarget> targets_in(std::string_view octets) {
  std::vector<StoredTarget> targets;
  while (octets.size() >= octets_of_target) {
    StoredTarget& to = targets.emplace_back();
    to.proxy = get(octets, 8);
    to.priority = static_cast<std::int16_t>(get(octets, 2));
    to.start_ns = static_cast<std::int64_t>(get(octets, 8));
    to.expiry_ns = static_cast<std::int64_t>(get(octets, 8));
  }
  return targets;
}

}  // namespace takt::notification
