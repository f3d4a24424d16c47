#include "recorder/recording_dumps.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "os/error_text.h"
#include "os/log/log_output.h"
#include "recorder/recording_folder.h"

namespace takt::recorder {

namespace {

using namespace std::chrono_literals;

// Time for what follows an event: the reply with the exception, and the caller's next steps.
constexpr std::chrono::milliseconds aftermath = 10ms;

std::string in_words(unsigned reasons, unsigned exception, unsigned deadline, unsigned signal) {
  std::string text;
  const auto add = [&](unsigned reason, const char* words) {
    if ((reasons & reason) != 0) text += (text.empty() ? "" : ", ") + std::string(words);
  };
  add(exception, "a system exception");
  add(deadline, "a missed deadline");
  add(signal, "a signal");
  return text;
}

}  // namespace

RecordingDumps::RecordingDumps(std::shared_ptr<const RecordingRing> ring, Options options,
                               std::unique_ptr<os::SignalWait> signals)
    : ring_(std::move(ring)), options_(std::move(options)), signals_(std::move(signals)) {}

std::expected<std::shared_ptr<RecordingDumps>, std::string> RecordingDumps::begin(
    std::shared_ptr<const RecordingRing> ring, Options options) {
  if (options.folder.empty()) options.folder = recording_folder();
  if (options.folder.empty()) return std::unexpected("the folder for recordings of this user cannot be used");
  std::error_code none;
  if (!std::filesystem::is_directory(options.folder, none))
    return std::unexpected(options.folder + " is no folder; make it first");
  auto signals = os::SignalWait::take({.user = options.on_signal});
  if (!signals)
    return std::unexpected("no more ORBs of this process can wait for signals: " +
                           os::error_text(signals.error()));
  if (options.on_signal && !(*signals)->taken().user)
    return std::unexpected("the program handles SIGUSR1 itself");
  std::shared_ptr<RecordingDumps> dumps(
      new RecordingDumps(std::move(ring), std::move(options), std::move(*signals)));
  auto started = os::Thread::start({.name = "takt-dumps"}, [self = dumps.get()] { self->run(); });
  if (!started) return std::unexpected("no thread for it: " + os::error_text(started.error()));
  dumps->thread_ = std::move(*started);
  return dumps;
}

RecordingDumps::~RecordingDumps() { end(); }

void RecordingDumps::end() {
  if (over_.exchange(true)) return;
  signals_->wake();
  thread_.join();
}

std::uint32_t RecordingDumps::events() const {
  std::uint32_t events = 0;
  if (options_.on_deadline) events |= EventLog::bit_of(LogEvent::deadline_missed);
  if (options_.on_exception)
    events |= EventLog::bit_of(LogEvent::call_failed) | EventLog::bit_of(LogEvent::request_failed);
  return events;
}

void RecordingDumps::noticed(LogEvent event) noexcept {
  const Reason reason = event == LogEvent::deadline_missed ? deadline : exception;
  if ((pending_.fetch_or(reason) & reason) == 0) signals_->wake();
}

void RecordingDumps::run() {
  os::run_in_background();
  os::TimePoint next{};  // the earliest time of the next copy
  while (!over_) {
    if (signals_->wait_until(os::no_deadline).user) pending_ |= signal;
    if (pending_ == 0) continue;
    const os::TimePoint due = std::max(next, os::Clock::now() + aftermath);
    while (!over_ && os::Clock::now() < due)
      if (signals_->wait_until(due).user) pending_ |= signal;
    dump(pending_.exchange(0));
    next = os::Clock::now() + options_.interval;
  }
  if (const unsigned reasons = pending_.exchange(0)) dump(reasons);
}

// Another ORB of the program may be writing to a file of that name.
void RecordingDumps::dump(unsigned reasons) noexcept {
  try {
    const std::string why = in_words(reasons, exception, deadline, signal);
    for (const std::string& path : names_by_age(options_.folder, options_.program, "dump", options_.most)) {
      const auto failure = ring_->copy_to(path, why);
      if (failure && failure->problem == RecordingRing::Problem::in_use) continue;
      if (!failure) return options_.report("the recording is copied to " + path + ": " + why);
      return options_.report("the recording cannot be copied to " + path + ": " + failure->text);
    }
    options_.report("the recording cannot be copied to " + options_.folder +
                    ": other ORBs are writing all of its files");
  } catch (const std::exception& failure) {
    options_.report(std::string("the recording cannot be copied: ") + failure.what());
  }
}

}  // namespace takt::recorder
