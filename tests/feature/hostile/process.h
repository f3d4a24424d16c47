// Starts a program as a child process and reads its output.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

extern char** environ;

namespace feature {

class Process {
 public:
  Process(std::string program, std::vector<std::string> arguments) {
    int pipe_ends[2];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
    arguments.insert(arguments.begin(), program);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const int failed = ::posix_spawn(&id_, program.c_str(), &actions, nullptr, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(pipe_ends[1]);
    out_ = pipe_ends[0];
    if (failed) throw std::runtime_error(program + " does not start");
  }
  ~Process() {
    kill();
    ::close(out_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return id_; }
  // The next line; empty at the end of the output.
  std::string line() {
    std::string text;
    char c;
    while (::read(out_, &c, 1) == 1 && c != '\n') text += c;
    return text;
  }
  void signal(int number) const { ::kill(id_, number); }
  // Stops the process; returns when all its threads have stopped.
  void stop() const {
    ::kill(id_, SIGSTOP);
    ::waitpid(id_, nullptr, WUNTRACED);
  }
  void kill() {
    if (id_ < 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    id_ = -1;
  }
  // Whether it ends by itself with status 0.
  bool ends_within(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    for (int status = 0; std::chrono::steady_clock::now() < until;
         std::this_thread::sleep_for(std::chrono::milliseconds(5)))
      if (::waitpid(id_, &status, WNOHANG) == id_) {
        id_ = -1;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
      }
    return false;
  }

 private:
  pid_t id_ = -1;
  int out_ = -1;
};

}  // namespace feature
