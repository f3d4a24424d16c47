#include "imr/process/watched_process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace takt::imr {

std::optional<WatchedProcess> WatchedProcess::open(pid_t pid) {
  if (pid <= 0) return std::nullopt;
  const auto descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0) return std::nullopt;
  return WatchedProcess(pid, descriptor);
}

WatchedProcess::~WatchedProcess() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool WatchedProcess::has_ended() const {
  pollfd polled{descriptor_, POLLIN, 0};
  return poll(&polled, 1, 0) > 0;
}

ProcessEnd WatchedProcess::end() const {
  constexpr auto by_descriptor = static_cast<idtype_t>(3);  // P_PIDFD, which older headers lack
  const auto status = [this](siginfo_t& info, int flags) {
    return waitid(by_descriptor, static_cast<id_t>(descriptor_), &info, WEXITED | WNOHANG | flags) == 0 &&
           info.si_pid != 0;
  };
  siginfo_t info{};
  if (!status(info, WNOWAIT)) return {false, "ended"};  // it is no child, so the system does not tell how
  signal_group(SIGTERM);
  status(info, 0);
  if (info.si_code == CLD_EXITED)
    return {info.si_status == 0, "ended with exit status " + std::to_string(info.si_status)};
  return {false, "was ended by signal " + std::to_string(info.si_status)};
}

void WatchedProcess::signal(int number) const {
  syscall(SYS_pidfd_send_signal, descriptor_, number, nullptr, 0);
}

// The number of a group is not used again while its leader is not waited for.
void WatchedProcess::signal_group(int number) const { kill(-pid_, number); }

void end_unwatched(pid_t child) {
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace takt::imr
