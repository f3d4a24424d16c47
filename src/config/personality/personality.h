// The personalities that an ORB can have.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <takt/config/personality.h>

namespace takt::orb {

extern const Personality standard_personality, realtime_personality, avionics_personality,
    imaging_personality, minimal_personality, tao_personality;

// One thread at a time.
class Personalities {
 public:
  Personalities();  // the ORB's own personalities

  std::span<const Personality> all() const { return all_; }
  // Null if there is none.
  const Personality* find(std::string_view name) const;
  // Returns why it cannot be added; empty if it was.
  std::string add(const Personality& personality);

 private:
  std::vector<Personality> all_;
};

}  // namespace takt::orb
