// The reactors that the suite runs over, and helpers for its tests.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>

#include "os/reactor/epoll_reactor.h"
#ifdef TAKT_HAS_LIBURING
#include "uring/uring_reactor.h"
#endif

namespace takt::os {

// One struct for each implementation.
struct Epoll {
  static constexpr const char* name = "epoll";
  static std::unique_ptr<Reactor> make() { return std::move(EpollReactor::create().value()); }
};

#ifdef TAKT_HAS_LIBURING
struct Uring {
  static constexpr const char* name = "io_uring";
  static std::unique_ptr<Reactor> make() {
    auto made = uring::UringReactor::create();
    return made ? std::move(*made) : nullptr;
  }
};
using Reactors = ::testing::Types<Epoll, Uring>;
#else
using Reactors = ::testing::Types<Epoll>;
#endif

struct ReactorName {
  template <class T>
  static std::string GetName(int) {
    return T::name;
  }
};

inline constexpr std::chrono::nanoseconds only_look{0};
inline constexpr std::chrono::nanoseconds for_ever{-1};

template <class T>
class ReactorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reactor) GTEST_SKIP() << "the kernel refuses " << T::name;
  }
  std::unique_ptr<Reactor> reactor = T::make();
};

// Two connected sockets: data written to `far` can be read from `near`.
struct Pair {
  Pair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
    near = ends[0];
    far = ends[1];
  }
  ~Pair() {
    close_near();
    close_far();
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  void send() const { ASSERT_EQ(::write(far, "x", 1), 1); }
  void receive() const {
    char octet;
    ASSERT_EQ(::read(near, &octet, 1), 1);
  }
  void close_near() { close(near); }
  void close_far() { close(far); }

  int near, far;

 private:
  static void close(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

struct Recorder final : EventHandler, TimerHandler {
  explicit Recorder(std::function<void()> action = {}) : action_(std::move(action)) {}
  void on_ready(Interest ready) noexcept override {
    ++calls;
    last = ready;
    if (action_) action_();
  }
  void on_timer() noexcept override {
    ++calls;
    if (action_) action_();
  }
  int calls = 0;
  Interest last = Interest::none;

 private:
  std::function<void()> action_;
};

}  // namespace takt::os
