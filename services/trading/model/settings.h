// The settings of an administrator: the cardinalities and rules of queries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "CosTradingC.h"
#include "trading/model/limits.h"

namespace takt::trading {

using CosTrading::FollowOption;

enum class Setting : std::uint8_t {
  def_search_card,
  max_search_card,
  def_match_card,
  max_match_card,
  def_return_card,
  max_return_card,
  max_list,
  def_hop_count,
  max_hop_count,
  def_follow_policy,  // these three: a FollowOption
  max_follow_policy,
  max_link_follow_policy,
  supports_modifiable_properties,  // these three: 0 or 1
  supports_dynamic_properties,
  supports_proxy_offers,
};
inline constexpr std::size_t setting_count = 15;

// The name in the store, which is that of the standard's attribute.
std::string_view name_of(Setting setting);

// A value; copies are independent.
class Settings {
 public:
  explicit Settings(const Limits& limits);

  std::uint32_t operator[](Setting setting) const { return values_[static_cast<std::size_t>(setting)]; }
  FollowOption follow(Setting setting) const { return static_cast<FollowOption>((*this)[setting]); }
  // The highest value that it may have.
  std::uint32_t ceiling(Setting setting) const { return ceilings_[static_cast<std::size_t>(setting)]; }
  // Values above the ceiling become that.
  void set(Setting setting, std::uint32_t value);

  std::string request_id_stem;  // octets

 private:
  std::array<std::uint32_t, setting_count> values_, ceilings_;
};

}  // namespace takt::trading
