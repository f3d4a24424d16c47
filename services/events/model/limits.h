// Bounds of an event service, and the settings of its channels.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace takt::events {

// Which event a full queue gives up.
enum class Discard : std::uint8_t { oldest, newest };

// It is large because each limit is a member.
struct Limits {
  std::size_t channels = 10'000;
  std::size_t proxies = 100'000;             // sum over all channels
  std::uint32_t queued_events = 1'023;       // per consumer, unless its channel was made with another number
  std::uint32_t max_queued_events = 65'536;  // the largest such number
  Discard discard = Discard::oldest;         // for channels that the factory makes
  std::uint64_t queued_bytes = std::uint64_t{256} << 20;  // sum over all queues
  std::uint32_t waiting_pulls = 1'000;                    // calls of pull() that wait for an event
  std::size_t name_bytes = 1'024;                         // for the name and the filter of a channel
  std::size_t reference_bytes = 16'384;                   // for the reference of a connected client
  // An event channel's pull suppliers, unless it was made with another number.
  std::uint32_t pull_proxies = 1'024;

  // A client may connect to a proxy that has one: it takes the place of the earlier client.
  bool reconnects = false;

  std::uint32_t threads = 4;        // that deliver while none of them waits for a slow client
  std::uint32_t max_threads = 256;  // including those that wait for slow clients
  // Threads beyond those, in calls to clients that have answered before and hang.
  std::uint32_t hanging_threads = 1'024;
  // A thread whose call to a client takes longer is replaced.
  std::chrono::milliseconds slow_after{20};
  std::chrono::milliseconds call_timeout{5'000};
  // A client that is asked before it is called, because many others hang, has this time to answer.
  std::chrono::milliseconds ask_timeout{100};
  // Clients that have left are told so in at most this time (or call_timeout), while at most that many wait.
  std::chrono::milliseconds farewell_timeout{1'000};
  std::size_t farewells = 10'000;
  std::chrono::milliseconds pull_patience{60'000};  // the longest time of a pull() without an event
  // Calls to one consumer that are sent together, if its server carries them out one after the other, and the
  // bytes of their events.
  std::uint32_t calls_together = 64;
  std::uint64_t bytes_together = std::uint64_t{1} << 20;
  // A client that cannot be reached for this time is disconnected.
  std::chrono::milliseconds give_up_after{10'000};
  // A client that raises system exceptions in that many calls in a row is disconnected.
  std::uint32_t exceptions_in_a_row = 100;
  std::chrono::milliseconds ping_after{30'000};  // a client that was silent for this time is asked
  std::chrono::milliseconds connect_within{
      600'000};  // a proxy to which nothing connects for this time is removed
};

struct ChannelSettings {
  std::string name;                 // a plain object key of the channel; may be empty
  std::string filter;               // the repository id of the events that pass; empty: all events
  std::uint32_t queued_events = 0;  // per consumer; 0: as Limits says
  std::uint32_t pull_proxies = 0;   // 0: as Limits says
  std::chrono::milliseconds pull_period{1'000};  // between two questions to a supplier that had no event
  Discard discard = Discard::oldest;
};

}  // namespace takt::events
