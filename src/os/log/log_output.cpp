#include "os/log/log_output.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include "os/net/unix_socket.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::os {

namespace {

constexpr std::string_view journal = "journal", usual_socket = "/run/systemd/journal/socket";
// A pipe that polls as writable takes this many octets without blocking.
constexpr std::size_t piece_bytes = 4096;

int open_file(const std::string& path) {
  constexpr int mode = 0640;
  return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode);
}

bool is_file(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_same_file(int one, int other) {
  struct stat of_one = {}, of_other = {};
  return ::fstat(one, &of_one) == 0 && ::fstat(other, &of_other) == 0 && of_one.st_dev == of_other.st_dev &&
         of_one.st_ino == of_other.st_ino;
}

// The program's folder may change later, as in daemons. As given if the present folder is unknown.
std::string absolute(const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  return error ? path : whole.string();
}

}  // namespace

std::expected<LogOutput, int> LogOutput::open(const std::string& to) {
  if (to == "stderr") return LogOutput(Kind::standard_error, {}, STDERR_FILENO);
  if (to == journal || to.starts_with("journal:")) {
    std::string path = to == journal ? std::string(usual_socket) : to.substr(journal.size() + 1);
    if (!UnixAddress::parse(path)) return std::unexpected(EINVAL);
    if (path[0] != '@' && ::access(path.c_str(), W_OK) != 0) return std::unexpected(errno);
    const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return std::unexpected(errno);
    return LogOutput(Kind::journal, std::move(path), descriptor);
  }
  std::string path = absolute(to);
  const int descriptor = open_file(path);
  if (descriptor < 0) return std::unexpected(errno);
  return LogOutput(Kind::file, std::move(path), descriptor);
}

LogOutput::LogOutput(LogOutput&& from) noexcept
    : kind_(from.kind_),
      path_(std::move(from.path_)),
      descriptor_(std::exchange(from.descriptor_, -1)),
      in_line_(from.in_line_) {}

LogOutput& LogOutput::operator=(LogOutput&& from) noexcept {
  if (this == &from) return *this;
  close();
  kind_ = from.kind_;
  path_ = std::move(from.path_);
  descriptor_ = std::exchange(from.descriptor_, -1);
  in_line_ = from.in_line_;
  return *this;
}

void LogOutput::close() {
  if (kind_ != Kind::standard_error && descriptor_ >= 0) ::close(descriptor_);
}

int LogOutput::reopen() {
  if (kind_ != Kind::file) return 0;
  const int descriptor = open_file(path_);
  if (descriptor < 0) return errno;
  in_line_ = in_line_ && is_same_file(descriptor_, descriptor);
  close();
  descriptor_ = descriptor;
  return 0;
}

bool LogOutput::wait_writable(TimePoint until) const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  struct pollfd wanted = {descriptor_, POLLOUT, 0};
  return ::poll(&wanted, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000))) > 0;
}

namespace {

// The signals by which a write can end the process: the pipe has no reader, or the file is as long as a limit
// allows. Threads of the program that write a line do not block them.
class SignalsOfWriting {
 public:
  SignalsOfWriting() {
    ::sigemptyset(&signals_);
    for (const int number : {SIGPIPE, SIGXFSZ}) ::sigaddset(&signals_, number);
    ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~SignalsOfWriting() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsOfWriting(const SignalsOfWriting&) = delete;
  SignalsOfWriting& operator=(const SignalsOfWriting&) = delete;

  // Call after a write that has failed: the thread has got one of them by it.
  void take() const {
    constexpr struct timespec only_look = {0, 0};
    (void)::sigtimedwait(&signals_, nullptr, &only_look);
  }

 private:
  sigset_t signals_, before_;
};

}  // namespace

int LogOutput::write_stream(std::string_view octets, TimePoint until) {
  const std::size_t most = is_file(descriptor_) ? octets.size() : piece_bytes;
  const SignalsOfWriting signals;
  while (!octets.empty()) {
    if (!wait_writable(until)) {
      if (Clock::now() >= until) return ETIMEDOUT;
      continue;
    }
    const auto written = ::write(descriptor_, octets.data(), std::min(octets.size(), most));
    if (written > 0) {
      in_line_ = octets[static_cast<std::size_t>(written) - 1] != '\n';
      octets.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EINTR && errno != EAGAIN) {
      const int error = errno;
      if (error == EPIPE || error == EFBIG) signals.take();
      return error;
    }
  }
  return 0;
}

int LogOutput::send(std::string_view octets, TimePoint until) const {
  const auto address = UnixAddress::parse(path_);
  for (;;) {
    if (::sendto(descriptor_, octets.data(), octets.size(), MSG_NOSIGNAL | MSG_DONTWAIT, address->data(),
                 static_cast<socklen_t>(address->size())) >= 0)
      return 0;
    if (errno != EAGAIN && errno != EINTR) return errno;
    if (Clock::now() >= until) return ETIMEDOUT;
    constexpr struct timespec pause = {0, 5'000'000};  // an unconnected socket always polls as writable
    ::nanosleep(&pause, nullptr);
  }
}

int LogOutput::write(std::string_view octets, TimePoint until) {
  if (kind_ == Kind::journal) return send(octets, until);
  if (in_line_)
    if (const int error = write_stream("\n", until)) return error;
  return write_stream(octets, until);
}

std::int64_t wall_clock_us() noexcept {
  struct timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

void copy_thread_name(char (&name)[16]) noexcept {
  if (::pthread_getname_np(::pthread_self(), name, sizeof name) != 0) name[0] = '\0';
}

void run_in_background() noexcept {
  constexpr int nicest = 19;
  (void)set_scheduling({});
  (void)::setpriority(PRIO_PROCESS, current_thread_number(), nicest);
}

}  // namespace takt::os
