// The parameters of the lookup suites.
#pragma once

#include <string>

#include <takt/lookup/lookup_policy.h>

namespace takt::adapter {

inline constexpr Lookup lookups[] = {Lookup::linear, Lookup::dynamic, Lookup::perfect, Lookup::active};
inline constexpr Lookup all_strategies[] = {Lookup::linear, Lookup::dynamic, Lookup::perfect, Lookup::active,
                                            Lookup::delayered};

inline std::string name_of(Lookup strategy) {
  switch (strategy) {
    case Lookup::linear:
      return "linear";
    case Lookup::dynamic:
      return "dynamic";
    case Lookup::perfect:
      return "perfect";
    case Lookup::active:
      return "active";
    case Lookup::delayered:
      break;
  }
  return "delayered";
}

}  // namespace takt::adapter
