#include "stream/generated_video.h"

#include <algorithm>

namespace takt::command {
namespace {

constexpr std::uint64_t group = 12, weight_of_first = 5;
constexpr std::size_t number_octets = 8;

std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 31) * 0x9E3779B97F4A7C15ULL;
  return number ^ number >> 29;
}

}  // namespace

GeneratedVideo::GeneratedVideo(std::uint64_t mean_octets)
    : mean_octets_(std::max<std::uint64_t>(mean_octets, number_octets)),
      octets_(mean_octets_ * weight_of_first * group / (weight_of_first + group - 1) * 6 / 5 +
              number_octets) {
  for (std::size_t i = 0; i < octets_.size(); ++i) octets_[i] = static_cast<std::uint8_t>(mixed(i));
}

std::uint64_t GeneratedVideo::size_of(std::uint64_t number) const {
  const std::uint64_t usual = mean_octets_ * group / (weight_of_first + group - 1);
  const std::uint64_t size = number % group == 0 ? usual * weight_of_first : usual;
  const std::uint64_t percent = 80 + mixed(number) % 41;
  return std::clamp<std::uint64_t>(size * percent / 100, number_octets, octets_.size());
}

std::span<const std::uint8_t> GeneratedVideo::frame(std::uint64_t number) {
  for (std::size_t i = 0; i < number_octets; ++i)
    octets_[i] = static_cast<std::uint8_t>(number >> 8 * (number_octets - 1 - i));
  return std::span(octets_).first(size_of(number));
}

}  // namespace takt::command
