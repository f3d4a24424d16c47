// Events that an ORB logs, and the interface through which the rooms say it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include <takt/base/bytes.h>

namespace takt {

// Each level includes the ones before it.
enum class LogLevel : std::uint8_t { off, error, warning, info, debug, trace };

enum class LogEvent : std::uint8_t {
  accept_failed,
  connection_lost,
  log_lost,
  warning,
  request_failed,
  listening,
  reactor_unused,
  connection_opened,
  connect_failed,
  connection_accepted,
  connection_refused,
  connection_closed,
  request_refused,
  deadline_missed,
  overrun,
  octets_left,
  request_forwarded,
  request_retried,
  call_failed,
  message_sent,
  message_received,
};

struct LogEventInfo {
  std::string_view name;  // the fixed word for it in every log line
  LogLevel level = LogLevel::off;
  std::uint16_t per_second = 50;  // most lines of this event in one second
};

// In the order of LogEvent; docs/user/logs.md describes each.
inline constexpr std::array log_events = {
    LogEventInfo{"accept-failed", LogLevel::error},
    LogEventInfo{"connection-lost", LogLevel::error},
    LogEventInfo{"log-lost", LogLevel::error},
    LogEventInfo{"warning", LogLevel::warning},
    LogEventInfo{"request-failed", LogLevel::warning},
    LogEventInfo{"listening", LogLevel::info},
    LogEventInfo{"reactor-unused", LogLevel::info},
    LogEventInfo{"connection-opened", LogLevel::info},
    LogEventInfo{"connect-failed", LogLevel::info},
    LogEventInfo{"connection-accepted", LogLevel::info},
    LogEventInfo{"connection-refused", LogLevel::info},
    LogEventInfo{"connection-closed", LogLevel::info},
    LogEventInfo{"request-refused", LogLevel::info},
    LogEventInfo{"deadline-missed", LogLevel::info},
    LogEventInfo{"overrun", LogLevel::info},
    LogEventInfo{"octets-left", LogLevel::info},
    LogEventInfo{"request-forwarded", LogLevel::debug},
    LogEventInfo{"request-retried", LogLevel::debug},
    LogEventInfo{"call-failed", LogLevel::debug},
    LogEventInfo{"message-sent", LogLevel::trace, 1000},
    LogEventInfo{"message-received", LogLevel::trace, 1000},
};
static_assert(log_events.size() == static_cast<std::size_t>(LogEvent::message_received) + 1);

constexpr const LogEventInfo& info_of(LogEvent event) { return log_events[static_cast<std::size_t>(event)]; }

// One line to be logged. The views need to live only during EventLog::write().
struct LogLine {
  LogEvent event;
  std::string_view peer = {};       // "tcp 127.0.0.1:1 -> 127.0.0.1:2", or an endpoint
  std::string_view operation = {};  // may come from a peer, as may `reason`
  std::string_view reason = {};
  ByteView octets = {};     // the first octets of a message
  std::uint64_t bytes = 0;  // the message's whole size
  ByteView trace = {};      // the trace id of what the calling thread does, 16 octets; the log sets it
};

// Is told that events have happened, whatever the log's level. Any thread.
class EventWatcher {
 public:
  virtual ~EventWatcher() = default;
  // Must neither wait nor throw: threads of calls tell it.
  virtual void noticed(LogEvent event) noexcept = 0;
};

// Any thread.
class EventLog {
 public:
  virtual ~EventLog() = default;
  // Whether write() has any effect for the event. One relaxed load. Callers ask before they make texts.
  bool takes(LogEvent event) const { return (taken_.load(std::memory_order_relaxed) & bit_of(event)) != 0; }
  void set_level(LogLevel level) {
    level_.store(level, std::memory_order_relaxed);
    taken_.store(events_of(level) | watched_, std::memory_order_relaxed);
  }
  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  // Tells `watcher` of each event of `events`, a set of bit_of(). Call before other threads use the log.
  void watch(std::shared_ptr<EventWatcher> watcher, std::uint32_t events) {
    watcher_ = std::move(watcher);
    watched_ = events;
    set_level(level());
  }
  // Tells the watcher of an event for which there may be no line.
  void notice(LogEvent event) noexcept {
    if ((watched_ & bit_of(event)) != 0) watcher_->noticed(event);
  }
  static constexpr std::uint32_t bit_of(LogEvent event) { return 1u << static_cast<unsigned>(event); }
  // The trace id of what the calling thread does; empty if there is none.
  using TraceOfThread = ByteView (*)() noexcept;
  // Makes lines carry it. Null, as at first: no line does.
  void set_trace_of_thread(TraceOfThread of) { trace_of_thread_.store(of, std::memory_order_relaxed); }
  // Drops the line if takes() is false, if its event's rate is exceeded or if there is no room; drops are
  // counted. Neither waits nor throws.
  virtual void write(const LogLine& line) noexcept = 0;

 protected:
  // For write(): tells the watcher, and returns whether the level takes the line.
  bool takes_line(const LogLine& line) noexcept {
    notice(line.event);
    return info_of(line.event).level <= level();
  }
  ByteView trace_of_thread() const noexcept {
    const TraceOfThread of = trace_of_thread_.load(std::memory_order_relaxed);
    return of ? of() : ByteView();
  }

 private:
  static constexpr std::uint32_t events_of(LogLevel level) {
    std::uint32_t events = 0;
    for (std::size_t i = 0; i < log_events.size(); ++i)
      if (log_events[i].level <= level) events |= 1u << i;
    return events;
  }
  static_assert(log_events.size() <= 32);

  std::atomic<LogLevel> level_{LogLevel::warning};
  std::atomic<std::uint32_t> taken_{events_of(LogLevel::warning)};  // events of the level, and watched ones
  std::uint32_t watched_ = 0;
  std::shared_ptr<EventWatcher> watcher_;  // not null if any event is watched
  std::atomic<TraceOfThread> trace_of_thread_{nullptr};
};

inline bool takes(const EventLog* log, LogEvent event) { return log && log->takes(event); }

// Logs LogEvent::octets_left. `log` may be null, `message` is "request" or "reply". Does not throw.
void log_octets_left(EventLog* log, const char* message, std::size_t octets, std::string_view operation,
                     std::string_view peer = {}) noexcept;

}  // namespace takt
