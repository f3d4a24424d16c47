// Frames like those of a video encoder, for tests of networks and machines.
#pragma once

#include <cstdint>
#include <vector>

#include "streams/flow/flow.h"

namespace takt::command {

// Every twelfth frame has about five times the octets of the others, all of which vary by a fifth. The sizes
// are the same for the same number. The octets begin with the number, the most significant octet first.
class GeneratedVideo final : public streams::FrameSource {
 public:
  // `mean_octets`: of all frames; at least 8.
  explicit GeneratedVideo(std::uint64_t mean_octets);
  std::span<const std::uint8_t> frame(std::uint64_t number) override;

 private:
  std::uint64_t size_of(std::uint64_t number) const;

  const std::uint64_t mean_octets_;
  std::vector<std::uint8_t> octets_;
};

}  // namespace takt::command
