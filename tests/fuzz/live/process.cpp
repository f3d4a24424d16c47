#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace takt::fuzz::live {

namespace {

// Freed memory is returned to the system soon, so that the remaining memory is in use.
constexpr const char* asan_options =
    "detect_leaks=0:quarantine_size_mb=4:thread_local_quarantine_size_kb=64:malloc_context_size=8:"
    "allocator_release_to_os_interval_ms=50:hard_rss_limit_mb=3000:detect_stack_use_after_return=0";

[[noreturn]] void become(const std::vector<std::string>& command, const std::string& log, int output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int errors = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(output, 1);
  ::dup2(errors, 2);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setenv("ASAN_OPTIONS", asan_options, 1);
  ::setenv("UBSAN_OPTIONS", "print_stacktrace=1", 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& command, std::string log) : log_(std::move(log)) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  id_ = ::fork();
  if (id_ == 0) become(command, log_, ends[1]);
  ::close(ends[1]);
  output_ = ends[0];
  ::fcntl(output_, F_SETFL, O_NONBLOCK);
  if (id_ < 0) throw std::runtime_error("no process");
}

Process::~Process() {
  if (alive()) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, &status_, 0);
  }
  ::close(output_);
}

bool Process::alive() {
  if (!ended_) ended_ = ::waitpid(id_, &status_, WNOHANG) == id_;
  return !ended_;
}

std::string Process::end() const {
  if (WIFSIGNALED(status_)) return "was killed by signal " + std::to_string(WTERMSIG(status_));
  return "ended with status " + std::to_string(WEXITSTATUS(status_));
}

std::chrono::nanoseconds Process::processor_time() const {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool Process::runs() const {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/" + std::to_string(id_) + "/task", error), end;
  for (auto thread = threads; !error && thread != end; thread.increment(error)) {
    std::ifstream file(thread->path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(") ");
    if (name_end != std::string::npos && line[name_end + 2] == 'R') return true;
  }
  return false;
}

OwnTime::OwnTime(const Process& process)
    : process_(process), ran_before_(process.processor_time()), looked_(std::chrono::steady_clock::now()) {}

std::chrono::nanoseconds OwnTime::passed() {
  constexpr std::chrono::nanoseconds most = std::chrono::milliseconds(100);
  const auto now = std::chrono::steady_clock::now();
  if (!process_.runs()) idle_ += std::min<std::chrono::nanoseconds>(now - looked_, most);
  looked_ = now;
  return idle_ + process_.processor_time() - ran_before_;
}

std::size_t Process::resident_bytes() const {
  std::ifstream file("/proc/" + std::to_string(id_) + "/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::string Process::said() {
  char some[4096];
  std::string all;
  for (ssize_t count; (count = ::read(output_, some, sizeof some)) > 0;)
    all.append(some, static_cast<std::size_t>(count));
  return all;
}

std::string Process::last_words() const {
  std::ifstream file(log_);
  constexpr int most_lines = 14;
  std::string words;
  int lines = 0;
  bool found = false;
  for (std::string line; std::getline(file, line);) {
    found =
        found || line.find("ERROR: ") != std::string::npos || line.find("runtime error") != std::string::npos;
    const bool is_summary = line.find("SUMMARY: ") != std::string::npos;
    if (found && (is_summary || ++lines <= most_lines)) words += "    " + line.substr(0, 220) + '\n';
  }
  return words;
}

}  // namespace takt::fuzz::live
