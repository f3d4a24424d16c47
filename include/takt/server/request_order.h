// Orders of waiting requests (-ORBQueueOrder). A plug-in can add one: PluginRegistry::add_request_order().
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/reference/quality.h>

namespace takt::server {

// Timing of an operation that the server's schedule states before requests arrive.
struct RequestTiming {
  static constexpr std::uint32_t no_queue = std::numeric_limits<std::uint32_t>::max();

  std::int16_t priority = -1;            // RT-CORBA priority; -1: none
  std::int32_t sub_priority = 0;         // order among operations of one priority; 0 is first
  std::chrono::nanoseconds deadline{};   // from the request's arrival; 0: none
  std::chrono::nanoseconds execution{};  // worst-case execution time; 0: unknown
  bool critical = false;
  std::uint32_t queue = no_queue;  // queue of the threading framework, if the schedule gives one
};

// A waiting request as an order sees it. Its views are valid during rank_of() only.
struct WaitingRequest {
  using Clock = std::chrono::steady_clock;

  std::string_view operation = {};
  ByteView object_key = {};
  std::int16_t priority = -1;  // RT-CORBA priority by which the client asks to be queued; -1: none
  // The rest of the request's quality; these defaults if it carries none.
  std::uint32_t importance = 0;
  CommunicationClass communication = CommunicationClass::message;
  Clock::time_point arrived = {};
  // The deadline that the client states, or else the operation's in the schedule.
  Clock::time_point deadline = Quality::no_deadline;
  const RequestTiming* timing = nullptr;  // the operation's entry in the schedule; null: none
};

// A request's rank: the lowest is served first.
struct Rank {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t third = 0;
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

// The contract of every order. tests/conformance/order/suite tests it:
//  1. The rank depends on the request alone, and not on the time or on other requests. So it stays the same
//     while the request waits, and a queue need not be sorted again.
//  2. Requests that lack the order's criterion are behind all that have it.
//  3. Requests that are equal in the order have the same rank. If heeds_importance(), the queue serves the
//     more important of these first. It serves requests of equal importance in order of arrival.
//  4. No value from a client causes an overflow: a time too far away counts as none.
//  5. rank_of() neither throws, waits, locks nor allocates. Any thread, also several at the same time. The
//     queue calls it with its lock held: once for each request, and once more if the queue is full.
class RequestOrder {
 public:
  virtual ~RequestOrder() = default;
  // The value of -ORBQueueOrder: lower-case letters, digits and hyphens.
  virtual std::string_view name() const = 0;
  virtual Rank rank_of(const WaitingRequest& request) const noexcept = 0;
  // Whether importance decides between requests of equal rank. Always the same.
  virtual bool heeds_importance() const noexcept { return true; }
};

}  // namespace takt::server
