#include "trading/model/settings.h"

#include <algorithm>

namespace takt::trading {
namespace {

constexpr std::uint32_t everything = 1'000'000'000;
constexpr std::uint32_t most_hops = 100;

constexpr std::array<std::string_view, setting_count> names{"def_search_card",
                                                            "max_search_card",
                                                            "def_match_card",
                                                            "max_match_card",
                                                            "def_return_card",
                                                            "max_return_card",
                                                            "max_list",
                                                            "def_hop_count",
                                                            "max_hop_count",
                                                            "def_follow_policy",
                                                            "max_follow_policy",
                                                            "max_link_follow_policy",
                                                            "supports_modifiable_properties",
                                                            "supports_dynamic_properties",
                                                            "supports_proxy_offers"};

}  // namespace

std::string_view name_of(Setting setting) { return names[static_cast<std::size_t>(setting)]; }

Settings::Settings(const Limits& limits) {
  constexpr auto always = static_cast<std::uint32_t>(FollowOption::always);
  const std::uint32_t few = std::min<std::uint32_t>(10'000, limits.returned);
  ceilings_ = {everything,
               everything,
               limits.returned,
               limits.returned,
               limits.returned,
               limits.returned,
               limits.listed,
               most_hops,
               most_hops,
               always,
               always,
               always,
               1,
               1,
               1};
  values_ = {1'000'000,
             1'000'000,
             few,
             limits.returned,
             few,
             limits.returned,
             limits.listed,
             5,
             10,
             always,
             always,
             always,
             1,
             1,
             1};
}

void Settings::set(Setting setting, std::uint32_t value) {
  const auto index = static_cast<std::size_t>(setting);
  values_[index] = std::min(value, ceilings_[index]);
}

}  // namespace takt::trading
