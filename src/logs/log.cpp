#include "logs/log.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "logs/log_ring.h"
#include "logs/rate_limit.h"
#include "os/error_text.h"
#include "threads/locks/semaphore.h"
#include "threads/thread.h"

namespace takt::logs {

using namespace std::chrono_literals;
using os::Clock;

namespace {

constexpr auto longest_write = 1s;  // for a reader that does not read
constexpr auto longest_stop = 1s;

std::uint32_t second_of(os::TimePoint now) {
  return static_cast<std::uint32_t>(std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count());
}

// Standard error, which needs nothing to be opened.
os::LogOutput standard_error() { return *os::LogOutput::open("stderr"); }

}  // namespace

class Log::Writer {
 public:
  Writer(os::LogOutput& output, LogFormat format) : output_(output), format_(format) {}

  // Returns 0 or an errno value.
  int start() {
    auto thread = os::Thread::start({.name = "takt-log"}, [this] { run(); });
    if (!thread) return thread.error();
    thread_ = std::move(*thread);
    return 0;
  }
  bool is_of_this_process() const { return process_ == os::process_number(); }

  void put(const LogLine& line) noexcept {
    if (limit_.admits(line.event, second_of(Clock::now())) && !ring_.put(line)) limit_.leave_out(line.event);
    wake();
  }
  bool flush(os::TimePoint until) noexcept {
    wake();
    for (; !ring_.empty(); std::this_thread::sleep_for(1ms))
      if (Clock::now() >= until) return false;
    return true;
  }
  void reopen() noexcept {
    reopens_ = true;
    wake();
  }
  void stop() noexcept {
    stop_at_ = Clock::now() + longest_stop;
    wake();
    thread_.join();
    write_rest();
  }

 private:
  void wake() noexcept {
    if (asleep_.exchange(false, std::memory_order_acq_rel)) woken_.release();
  }
  bool stopping() const { return stop_at_.load() != os::no_deadline; }
  void run() noexcept;
  void sleep();
  void drain();
  void write_rest() noexcept;
  void say_left_out();
  void write(const LogRecord& record);
  void write_event(LogEvent event, std::uint64_t left_out, const std::string& reason);
  void note_failure(int error);
  int write_out(const LogRecord& record);

  LogRing ring_;
  RateLimit limit_;
  os::LogOutput& output_;
  const LogFormat format_;
  const std::uint32_t process_ = os::process_number();
  os::Semaphore woken_;
  std::atomic<bool> asleep_{false}, reopens_{false};
  std::atomic<os::TimePoint> stop_at_{os::no_deadline};
  // Used by the thread only, and after its end by stop():
  std::string line_;
  os::TimePoint said_left_out_{};
  std::uint64_t lost_ = 0;  // lines that could not be written
  int error_ = 0;           // why
  os::Thread thread_;
};

// Without memory for a line, the line is lost.
void Log::Writer::run() noexcept {
  os::run_in_background();
  while (!stopping()) {
    try {
      if (reopens_.exchange(false))
        if (const int error = output_.reopen())
          write_event(LogEvent::warning, 0, "the log's file is not opened anew: " + os::error_text(error));
      drain();
      if (limit_.has_left_out() && Clock::now() - said_left_out_ >= 1s) say_left_out();
      sleep();
    } catch (const std::exception&) {
      if (ring_.front()) ring_.pop();
    }
  }
}

// In the thread that stops this one, which yields to all others, and so may get no time on a busy machine. An
// output that takes nothing had its chance.
void Log::Writer::write_rest() noexcept {
  try {
    if (lost_ == 0) stop_at_ = Clock::now() + longest_stop;
    drain();
    say_left_out();
  } catch (const std::exception&) {  // there is no memory for it
  }
}

// A wake() before asleep_ is set is seen by the checks, one after it by the semaphore.
void Log::Writer::sleep() {
  asleep_.exchange(true, std::memory_order_acq_rel);
  const bool works = ring_.front() || reopens_ || stopping();
  const auto most = limit_.has_left_out() || !ring_.empty() ? std::chrono::nanoseconds(1s) : 1h;
  if (!works) (void)woken_.acquire_within(most);
  asleep_ = false;
}

void Log::Writer::drain() {
  while (const LogRecord* record = ring_.front()) {
    if (Clock::now() >= stop_at_.load()) return;
    write(*record);
    ring_.pop();
  }
}

void Log::Writer::say_left_out() {
  said_left_out_ = Clock::now();
  for (std::size_t i = 0; i < log_events.size(); ++i) {
    const auto event = static_cast<LogEvent>(i);
    if (const std::uint64_t count = limit_.take_left_out(event))
      write_event(event, count, std::to_string(count) + " lines of this event were left out");
  }
}

void Log::Writer::write_event(LogEvent event, std::uint64_t left_out, const std::string& reason) {
  LogRecord record;
  record.set({.event = event, .reason = reason});
  record.left_out = left_out;
  write(record);
}

int Log::Writer::write_out(const LogRecord& record) {
  line_.clear();
  if (output_.kind() == os::LogOutput::Kind::journal)
    append_journal(line_, record, format_, process_);
  else
    append_line(line_, record, format_, process_);
  return output_.write(line_, std::min(Clock::now() + longest_write, stop_at_.load()));
}

void Log::Writer::write(const LogRecord& record) {
  if (const int error = write_out(record)) return note_failure(error);
  if (lost_ == 0) return;
  const std::uint64_t count = std::exchange(lost_, 0);
  write_event(LogEvent::log_lost, count,
              std::to_string(count) + " lines could not be written: " + os::error_text(error_));
}

void Log::Writer::note_failure(int error) {
  error_ = error;
  if (lost_++ != 0 || output_.kind() == os::LogOutput::Kind::standard_error) return;
  LogRecord record;
  record.set(
      {.event = LogEvent::log_lost,
       .reason = "the log cannot be written, and lines are lost until it can: " + os::error_text(error)});
  line_.clear();
  append_line(line_, record, LogFormat::text, process_);
  (void)standard_error().write(line_, Clock::now());
}

Log::Log() : output_(standard_error()) {}

// After fork(), the parent's thread does not exist here, and the parent writes its lines.
Log::~Log() {
  Writer* const writer = writer_.load();
  if (!writer || !writer->is_of_this_process()) return;
  writer->stop();
  delete writer;
}

void Log::begin(os::LogOutput output, LogFormat format) {
  output_ = std::move(output);
  format_ = format;
  if (level() >= LogLevel::info) (void)started();
}

Log::Writer* Log::started() noexcept {
  if (Writer* const writer = writer_.load(std::memory_order_acquire)) return writer;
  try {
    std::lock_guard lock(mutex_);
    if (Writer* const writer = writer_.load(std::memory_order_acquire)) return writer;
    auto writer = std::make_unique<Writer>(output_, format_);
    if (writer->start() != 0) return nullptr;
    writer_.store(writer.get(), std::memory_order_release);
    return writer.release();
  } catch (const std::exception&) {
    return nullptr;
  }
}

void Log::write(const LogLine& given) noexcept {
  if (!takes_line(given)) return;
  LogLine line = given;
  line.trace = trace_of_thread();
  if (Writer* const writer = started())
    writer->put(line);
  else
    write_here(line);
}

void Log::write_here(const LogLine& line) noexcept {
  try {
    LogRecord record;
    record.set(line);
    std::string text;
    const bool is_journal = output_.kind() == os::LogOutput::Kind::journal;
    (is_journal ? append_journal : append_line)(text, record, format_, os::process_number());
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && !writer_.load()) (void)output_.write(text, Clock::now());
  } catch (const std::exception&) {  // there is no memory for it
  }
}

bool Log::flush(std::chrono::nanoseconds most) noexcept {
  Writer* const writer = writer_.load(std::memory_order_acquire);
  if (!writer) return true;
  return writer->is_of_this_process() && writer->flush(Clock::now() + most);
}

void Log::reopen() noexcept {
  if (Writer* const writer = started()) writer->reopen();
}

}  // namespace takt::logs
