#include "streams/model/quality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <takt/corba.h>

namespace takt::streams {
namespace {

using CosPropertyService::Properties, CosPropertyService::Property;
using Refused = std::unexpected<std::string>;

template <class... Numbers>
std::optional<double> first_of(const CORBA::Any& value) {
  std::optional<double> number;
  const auto take = [&]<class Number>(Number read) {
    if (!number && (value >>= read)) number = static_cast<double>(read);
  };
  (take(Numbers()), ...);
  return number;
}

std::optional<double> number_in(const CORBA::Any& value) {
  return first_of<double, float, std::int32_t, std::uint32_t, std::int16_t, std::uint16_t, std::int64_t,
                  std::uint64_t, std::uint8_t>(value);
}

// The parameters of one flow, which are read by name.
class Parameters {
 public:
  explicit Parameters(Properties* from) : from_(from) {}

  // `fallback` if there is none. Sets the error for what is no number of the range.
  double number(std::string_view name, double fallback, double least, double most) {
    const Property* const found = find(name);
    if (!found) return fallback;
    const auto read = number_in(found->property_value());
    if (read && std::isfinite(*read) && *read >= least && *read <= most) return *read;
    refuse(name, "a number from " + short_text(least) + " to " + short_text(most));
    return fallback;
  }
  std::optional<LateFrames> late_frames(std::optional<LateFrames> fallback) {
    const Property* const found = find("late_frames");
    if (!found) return fallback;
    std::string word;
    if (found->property_value() >>= word) {
      if (word == "drop") return LateFrames::drop;
      if (word == "give") return LateFrames::give;
    }
    refuse("late_frames", "\"drop\" or \"give\"");
    return fallback;
  }
  void set_number(std::string_view name, double number) {
    if (Property* const found = find(name)) found->property_value() <<= number;
  }
  const std::string& error() const { return error_; }

  static std::string short_text(double number) {
    const std::string text = std::to_string(number);
    const auto end = text.find_last_not_of('0');
    return text.substr(0, text[end] == '.' ? end : end + 1);
  }

 private:
  Property* find(std::string_view name) {
    if (!from_) return nullptr;
    const auto found = std::ranges::find(
        *from_, name, [](const Property& each) -> std::string_view { return each.property_name(); });
    return found == from_->end() ? nullptr : &*found;
  }
  void refuse(std::string_view name, const std::string& expected) {
    if (error_.empty()) error_ = std::string(name) + " must be " + expected;
  }

  Properties* const from_;
  std::string error_;
};

Properties* parameters_of(AVStreams::streamQoS& quality, std::string_view flow) {
  for (const std::string_view type : {flow, std::string_view()})
    for (AVStreams::QoS& each : quality)
      if (each.QoSType() == type) return &each.QoSParams();
  return nullptr;
}

}  // namespace

std::expected<Negotiated, std::string> negotiate(AVStreams::streamQoS& quality, std::string_view flow,
                                                 const QualityBounds& bounds, const PresentQuality& present) {
  constexpr double most_rate = 1e6, most_octets = 1e12;
  Properties* const given = parameters_of(quality, flow);
  Parameters parameters(given);
  Negotiated result;
  result.given = given != nullptr;
  FlowQuality& granted = result.granted;
  const FlowQuality& before = present.quality;
  const double wanted = parameters.number("frame_rate", before.frame_rate, 0, most_rate);
  const double least = parameters.number("frame_rate_min", 0, 0, most_rate);
  const auto octets = static_cast<double>(before.frame_octets),
             delay = static_cast<double>(before.delay.count());
  granted.frame_octets =
      static_cast<std::uint64_t>(parameters.number("frame_octets", octets, 0, most_octets));
  granted.delay =
      std::chrono::milliseconds(static_cast<std::int64_t>(parameters.number("delay_ms", delay, 0, 10'000)));
  granted.late = parameters.late_frames(before.late);
  granted.dscp = static_cast<int>(parameters.number("dscp", before.dscp, 0, 63));
  const int priority = static_cast<int>(parameters.number("priority", before.priority, 0, 99));
  const std::string which = "flow " + std::string(flow) + ": ";
  if (!parameters.error().empty()) return Refused(which + parameters.error());
  if (wanted > 0 && wanted < least_rate)
    return Refused(which + "frame_rate must be 0 or at least " + Parameters::short_text(least_rate));
  granted.frame_rate = present.is_produced ? before.frame_rate : std::min(wanted, bounds.frame_rate);
  granted.priority = present.is_produced ? before.priority : std::min(priority, bounds.priority);
  result.met = (wanted == 0 || granted.frame_rate == wanted) && granted.priority == priority;
  if (granted.frame_rate < least)
    return Refused(which + Parameters::short_text(least) + " frames a second are needed, and " +
                   Parameters::short_text(granted.frame_rate) + " can be granted");
  if (granted.frame_octets > bounds.frame_octets)
    return Refused(which + "frames of " + std::to_string(granted.frame_octets) + " octets; the limit is " +
                   std::to_string(bounds.frame_octets));
  if (wanted != granted.frame_rate) parameters.set_number("frame_rate", granted.frame_rate);
  return result;
}

std::optional<std::string> excess_in(const AVStreams::streamQoS& quality, const Limits& limits) {
  if (quality.size() > limits.entries)
    return std::to_string(quality.size()) + " entries; the limit is " + std::to_string(limits.entries);
  for (const AVStreams::QoS& each : quality) {
    if (each.QoSParams().size() > limits.entries)
      return std::to_string(each.QoSParams().size()) + " parameters of one flow; the limit is " +
             std::to_string(limits.entries);
    if (each.QoSType().size() > limits.entry_bytes) return std::string("a name that is too long");
  }
  return std::nullopt;
}

}  // namespace takt::streams
