#include "giop/contexts/quality.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace takt::giop {

namespace {

using std::chrono::nanoseconds;

constexpr std::uint64_t no_time = ~std::uint64_t{0};
constexpr std::uint64_t longest = std::uint64_t{100} * 365 * 86400 * 1'000'000'000;
constexpr std::uint8_t last_class = 3;

template <class T>
void put(std::uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <class T>
T get(const std::uint8_t* at, bool swap) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return swap ? std::byteswap(value) : value;
}

std::uint64_t written(nanoseconds time) {
  return static_cast<std::uint64_t>(std::max(time, nanoseconds(0)).count());
}

}  // namespace

QualityContextData::QualityContextData(const WireQuality& quality) : data_{}, size_(quality_context_bytes) {
  data_[0] = static_cast<std::uint8_t>(cdr::native_order);
  data_[1] = quality.communication_class;
  put(&data_[2], quality.priority);
  put(&data_[4], quality.importance);
  put(&data_[8], written(quality.period));
  put(&data_[16], quality.remaining == WireQuality::no_deadline ? no_time : written(quality.remaining));
  if (quality.begin_within == WireQuality::no_deadline) return;
  put(&data_[24], written(quality.begin_within));
  size_ = long_quality_context_bytes;
}

std::optional<WireQuality> read_quality_context(ByteView data) {
  if (data.size() < quality_context_bytes || data[0] > 1) return std::nullopt;
  const std::uint8_t* const octets = data.data();
  const bool swap = static_cast<cdr::ByteOrder>(octets[0]) != cdr::native_order;
  WireQuality quality;
  quality.communication_class = octets[1] <= last_class ? octets[1] : std::uint8_t{0};
  quality.priority = std::max<std::int16_t>(get<std::int16_t>(octets + 2, swap), -1);
  quality.importance = get<std::uint32_t>(octets + 4, swap);
  const auto period = get<std::uint64_t>(octets + 8, swap);
  const auto remaining = get<std::uint64_t>(octets + 16, swap);
  if (period < longest) quality.period = nanoseconds(period);
  if (remaining < longest) quality.remaining = nanoseconds(remaining);
  if (data.size() < long_quality_context_bytes) return quality;
  const auto begin_within = get<std::uint64_t>(octets + 24, swap);
  if (begin_within < longest) quality.begin_within = nanoseconds(begin_within);
  return quality;
}

}  // namespace takt::giop
