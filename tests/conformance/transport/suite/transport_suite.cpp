#include "transport_suite.h"

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>

namespace takt::transport {

void TransportTest::SetUp() {
  auto listening = transport_->listen(tested_.any(), options_);
  if (!listening) GTEST_SKIP() << listening.error().text;
  acceptor_ = std::move(*listening);
}

ConnectResult TransportTest::connect(const Endpoint& to, os::TimePoint deadline) {
  if (!tested_.shakes_hands || !acceptor_) return transport_->connect(to, deadline, options_.stream);
  ConnectResult connected = Unexpected(ConnectError{});
  std::atomic<bool> done = false;
  std::thread client([&] {
    connected = transport_->connect(to, deadline, options_.stream);
    done = true;
  });
  const auto waits = [this](std::chrono::milliseconds time) {
    return becomes_readable(acceptor_->native_handle(), time);
  };
  while (!done || waits(0ms)) {
    waits(1ms);
    auto accepted = acceptor_->accept();
    if (accepted)
      early_.push_back(std::move(*accepted));
    else if (done && accepted.error() != AcceptError::would_block)
      break;
  }
  client.join();
  return connected;
}

AcceptResult TransportTest::accept() {
  if (early_.empty()) {
    acceptor_->set_blocking(true);
    auto accepted = acceptor_->accept();
    acceptor_->set_blocking(false);
    return accepted;
  }
  AcceptResult accepted = std::move(early_.front());
  early_.pop_front();
  return accepted;
}

void TransportTest::open_one() {
  auto connected = connect(acceptor_->local_endpoint());
  ASSERT_TRUE(connected) << connected.error().text;
  client_ = std::move(*connected);
  auto accepted = accept();
  ASSERT_TRUE(accepted);
  server_ = std::move(*accepted);
}

void EachConnection::SetUp() {
  EachTransport::SetUp();
  if (acceptor_) open_one();
}

namespace {

bool becomes(short events, int handle, std::chrono::milliseconds time) {
  const auto deadline = os::Clock::now() + time;
  for (;;) {
    pollfd waits{handle, events, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        std::max<std::chrono::nanoseconds>(deadline - os::Clock::now(), 0ns));
    const int ready = ::poll(&waits, 1, static_cast<int>(left.count()));
    if (ready >= 0 || errno != EINTR) return ready == 1;
  }
}

}  // namespace

bool becomes_readable(int handle, std::chrono::milliseconds time) { return becomes(POLLIN, handle, time); }
bool becomes_writable(int handle, std::chrono::milliseconds time) { return becomes(POLLOUT, handle, time); }

std::vector<std::uint8_t> pattern(std::size_t count) {
  std::vector<std::uint8_t> octets(count);
  for (std::size_t i = 0; i < count; ++i)
    octets[i] = static_cast<std::uint8_t>(i * 131 + (i >> 8) * 17 + (i >> 16));
  return octets;
}

IoResult read_all(Stream& stream, MutableBytes into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const IoResult result = stream.read(into.subspan(done));
    if (result.status != IoStatus::ok) return {done, result.status, result.error};
    done += result.bytes;
  }
  return {done, IoStatus::ok, 0};
}

IoResult write_all(Stream& stream, ByteView octets) {
  std::size_t done = 0;
  while (done < octets.size()) {
    const IoResult result = stream.write(octets.subspan(done));
    if (result.status != IoStatus::ok) return {done, result.status, result.error};
    done += result.bytes;
  }
  return {done, IoStatus::ok, 0};
}

std::string read_text(Stream& stream, std::size_t count) {
  std::string text(count, '\0');
  const IoResult result = read_all(stream, {reinterpret_cast<std::uint8_t*>(text.data()), count});
  text.resize(result.bytes);
  return text;
}

}  // namespace takt::transport
