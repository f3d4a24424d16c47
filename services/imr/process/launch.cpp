#include "imr/process/launch.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

namespace takt::imr {
namespace {

constexpr const char* nothing = "/dev/null";

// The open file of a server's output. It is opened here and not in the new process, because opening a named
// pipe without a reader would block that process, and posix_spawn() waits for it.
class Output {
 public:
  explicit Output(const std::string& path) {
    constexpr mode_t for_owner = 0600;
    const char* const name = path.empty() ? nothing : path.c_str();
    const int opened =
        open(name, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, for_owner);
    if (opened >= 0) {
      fcntl(opened, F_SETFL, O_APPEND);                                 // the server's writes block
      descriptor_ = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);  // standard ones may be closed here
    }
    error_ = descriptor_ < 0 ? errno : 0;
    if (opened >= 0) close(opened);
  }
  ~Output() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  int descriptor() const { return descriptor_; }
  int error() const { return error_; }  // 0: it is open

 private:
  int descriptor_ = -1, error_ = 0;
};

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  // False if there is no memory. `output` must stay open until the process has been started.
  bool set(const Definition& definition, const Output& output) {
    if (posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, nothing, O_RDONLY, 0) != 0 ||
        posix_spawn_file_actions_adddup2(&actions_, output.descriptor(), STDOUT_FILENO) != 0 ||
        posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO) != 0 ||
        posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1) != 0)
      return false;
    return definition.directory.empty() ||
           posix_spawn_file_actions_addchdir_np(&actions_, definition.directory.c_str()) == 0;
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

std::string_view name_in(std::string_view setting) { return setting.substr(0, setting.find('=')); }

// Variables that are meant for this process alone: those of the service manager, and the addresses of this
// ORB, at which no server can listen. A configuration file may have such addresses.
bool is_of_repository(std::string_view name) {
  constexpr std::string_view names[] = {"NOTIFY_SOCKET",
                                        "WATCHDOG_PID",
                                        "WATCHDOG_USEC",
                                        "LISTEN_PID",
                                        "LISTEN_FDS",
                                        "LISTEN_FDNAMES",
                                        "TAKT_CONFIG",
                                        "TAKT_LISTEN_ENDPOINTS",
                                        "TAKT_PUBLISHED_ENDPOINTS",
                                        "TAKT_LANE_ENDPOINTS"};
  return std::ranges::find(names, name) != std::end(names);
}

// This process's variables, with `settings` in their place.
std::vector<std::string> environment_with(const std::vector<std::string>& settings) {
  std::vector<std::string> all;
  for (char** each = environ; *each; ++each)
    if (!is_of_repository(name_in(*each)) &&
        std::ranges::find(settings, name_in(*each), &name_in) == settings.end())
      all.emplace_back(*each);
  all.insert(all.end(), settings.begin(), settings.end());
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& each : texts) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string text_of(const Definition& definition) {
  std::string text = definition.command[0];
  if (!definition.directory.empty()) text += " in " + definition.directory;
  return text;
}

}  // namespace

std::expected<pid_t, std::string> launch(const Definition& definition, const std::string& ticket) {
  const Output output(definition.output_file);
  if (output.error() == ENXIO)
    return std::unexpected("could not be started: nothing reads from the pipe " + definition.output_file +
                           ", which is to take its output");
  if (output.error() != 0)
    return std::unexpected("could not be started: its output cannot be written to " + definition.output_file +
                           ": " + std::generic_category().message(output.error()));
  FileActions files;
  const Attributes attributes;
  std::vector<std::string> command = definition.command, settings = definition.environment;
  settings.push_back("TAKT_IMR_TICKET=" + ticket);
  std::vector<std::string> environment = environment_with(settings);
  if (!files.set(definition, output)) return std::unexpected("could not be started: out of memory");
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, command[0].c_str(), files.get(), attributes.get(),
                                 pointers_to(command).data(), pointers_to(environment).data());
  if (failed == 0) return pid;
  return std::unexpected("could not be started: " + text_of(definition) + ": " +
                         std::generic_category().message(failed));
}

}  // namespace takt::imr
