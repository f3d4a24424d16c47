// Where the lines of a log go: standard error, a file, or the system's journal.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <takt/os/clock.h>

namespace takt::os {

// One thread at a time, except open(). Errors are errno values.
class LogOutput {
 public:
  enum class Kind : std::uint8_t { standard_error, file, journal };

  // `to`: "stderr", "journal", "journal:SOCKET" for a journal that listens elsewhere, or the path of a file,
  // which is appended to and made with mode 0640 if absent. A relative path stays in the folder that is the
  // process's own now.
  static std::expected<LogOutput, int> open(const std::string& to);
  LogOutput(LogOutput&& from) noexcept;
  LogOutput& operator=(LogOutput&& from) noexcept;
  ~LogOutput() { close(); }

  Kind kind() const { return kind_; }
  // Opens the file of that path anew, after it was renamed. If that fails, the old file stays in use.
  int reopen();
  // Writes all octets, which end with a line's end; to a journal, as one datagram. After a write that failed
  // in the middle of a line, the next one begins with the end of that line. Returns 0 or an error. Waits
  // until `until` at most for a reader that does not read (ETIMEDOUT); a file on a disk may block longer.
  int write(std::string_view octets, TimePoint until);

 private:
  LogOutput(Kind kind, std::string path, int descriptor)
      : kind_(kind), path_(std::move(path)), descriptor_(descriptor) {}
  void close();
  int write_stream(std::string_view octets, TimePoint until);
  int send(std::string_view octets, TimePoint until) const;
  bool wait_writable(TimePoint until) const;

  Kind kind_;
  std::string path_;
  int descriptor_;
  bool in_line_ = false;  // the last octet that was written does not end a line
};

// Wall-clock time in microseconds since 1970, UTC.
std::int64_t wall_clock_us() noexcept;
// Copies the calling thread's name, of at most 15 characters, and a zero octet.
void copy_thread_name(char (&name)[16]) noexcept;
// Makes the calling thread yield to all others of the system: no real-time class, and the lowest priority in
// the class for other threads.
void run_in_background() noexcept;

}  // namespace takt::os
