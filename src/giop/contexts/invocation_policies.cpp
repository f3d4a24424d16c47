#include "giop/contexts/invocation_policies.h"

#include <cstring>

#include "giop/contexts/policy_values.h"

namespace takt::giop {

namespace {

enum Type : std::uint32_t { request_priority = 25, request_start = 27, request_end = 28, reply_end = 30 };

// Encapsulation of a UtcT: its byte order, the time at the next multiple of 8, the inaccuracy in six octets,
// and the time zone.
constexpr std::uint32_t utc_octets = 24;
constexpr std::uint32_t range_octets = 6;

void read_range(ByteView value, std::optional<PriorityRange>& to) {
  PriorityRange range;
  const bool readable = cdr::decapsulate(value, [&](cdr::Decoder& decoder) {
    range.min = static_cast<Priority>(decoder.get_u16());
    range.max = static_cast<Priority>(decoder.get_u16());
  });
  if (!to && readable && 0 <= range.min && range.min <= range.max) to = range;
}

void read_time(ByteView value, std::optional<UtcTime>& to) {
  UtcTime time = 0;
  const bool readable = cdr::decapsulate(value, [&](cdr::Decoder& decoder) {
    decoder.get(time);
    decoder.get_u32();
    decoder.get_u16();
    decoder.get_u16();
  });
  if (!to && readable) to = time;
}

// Writes to zeroed memory.
class Writer {
 public:
  explicit Writer(std::uint8_t* to) : begin_(to), at_(to) {}
  void begin_value(std::uint32_t type, std::uint32_t octets) {
    at_ += (begin_ - at_) & 3;
    put(type);
    put(octets);
    *at_ = static_cast<std::uint8_t>(cdr::native_order);
  }
  template <class T>
  void put(T value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void skip(std::size_t octets) { at_ += octets; }
  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  std::uint8_t* const begin_;
  std::uint8_t* at_;
};

}  // namespace

InvocationPoliciesData::InvocationPoliciesData(const InvocationPolicies& policies) {
  octets_.fill(0);
  Writer to(octets_.data());
  octets_[0] = static_cast<std::uint8_t>(cdr::native_order);
  to.skip(4);
  to.put(std::uint32_t{policies.request_priority.has_value()} + policies.request_start.has_value() +
         policies.request_end.has_value() + policies.reply_end.has_value());
  if (const auto& range = policies.request_priority) {
    to.begin_value(request_priority, range_octets);
    to.skip(2);
    to.put(range->min);
    to.put(range->max);
  }
  const auto put_time = [&](std::uint32_t type, const std::optional<UtcTime>& time) {
    if (!time) return;
    to.begin_value(type, utc_octets);
    to.skip(8);
    to.put(*time);
    to.skip(8);
  };
  put_time(request_start, policies.request_start);
  put_time(request_end, policies.request_end);
  put_time(reply_end, policies.reply_end);
  size_ = to.size();
}

std::optional<InvocationPolicies> read_invocation_policies(ByteView data) {
  InvocationPolicies policies;
  const bool readable = for_each_policy(data, [&](std::uint32_t type, ByteView value) {
    if (type == request_priority) read_range(value, policies.request_priority);
    if (type == request_start) read_time(value, policies.request_start);
    if (type == request_end) read_time(value, policies.request_end);
    if (type == reply_end) read_time(value, policies.reply_end);
  });
  return readable ? std::optional(policies) : std::nullopt;
}

}  // namespace takt::giop
