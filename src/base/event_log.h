// Events that an ORB logs, and the interface through which the rooms say it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

// Any thread.
class EventLog {
 public:
  virtual ~EventLog() = default;
  // One relaxed load. Callers ask before they make texts.
  bool takes(LogEvent event) const { return info_of(event).level <= level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }
  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  // The trace id of what the calling thread does; empty if there is none.
  using TraceOfThread = ByteView (*)() noexcept;
  // Makes lines carry it. Null, as at first: no line does.
  void set_trace_of_thread(TraceOfThread of) { trace_of_thread_.store(of, std::memory_order_relaxed); }
  // Drops the line if takes() is false, if its event's rate is exceeded or if there is no room; drops are
  // counted. Neither waits nor throws.
  virtual void write(const LogLine& line) noexcept = 0;

 protected:
  ByteView trace_of_thread() const noexcept {
    const TraceOfThread of = trace_of_thread_.load(std::memory_order_relaxed);
    return of ? of() : ByteView();
  }

 private:
  std::atomic<LogLevel> level_{LogLevel::warning};
  std::atomic<TraceOfThread> trace_of_thread_{nullptr};
};

inline bool takes(const EventLog* log, LogEvent event) { return log && log->takes(event); }

// Logs LogEvent::octets_left. `log` may be null, `message` is "request" or "reply". Does not throw.
void log_octets_left(EventLog* log, const char* message, std::size_t octets, std::string_view operation,
                     std::string_view peer = {}) noexcept;

}  // namespace takt
