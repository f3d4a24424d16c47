// Choices, texts and conditions that several tables of options use.
#pragma once

#include "config/options_table.h"

namespace takt::orb::table {

using namespace std::chrono_literals;
using S = Settings;

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

constexpr Named<bool> on_or_off[] = {{"off", false}, {"on", true}};

constexpr std::string_view for_opened = "for connections that are opened later";

// For options from which other values are derived: no room reads the option's own field.
constexpr auto derived = &RunningOrb::take_limits;

inline bool accepts_bidirectional(const S& settings) {
  return settings.calling.accept_bidirectional != bidirectional::Accept::off;
}

}  // namespace takt::orb::table
