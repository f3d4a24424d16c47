// Connecting that is interrupted while the server is silent.
#pragma once

#include <gtest/gtest.h>
#include <takt/transport/transport.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "os/poll/interruption.h"
#include "transport_suite.h"

namespace takt::transport {

// Expects that connecting without a deadline ends when it is interrupted.
inline void expect_interruptible(Transport& transport, const Endpoint& silent) {
  std::atomic<bool> stop{false};
  const os::Interruption interruption(
      [](const void* flag) noexcept { return static_cast<const std::atomic<bool>*>(flag)->load(); }, &stop);
  std::jthread stops([&] {
    std::this_thread::sleep_for(100ms);
    stop = true;
  });
  const auto stream = transport.connect(silent, os::no_deadline, {});
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().error, ETIMEDOUT) << stream.error().text;
}

}  // namespace takt::transport
