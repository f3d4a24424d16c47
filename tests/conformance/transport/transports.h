// The transports that the suite runs over, and what its tests need.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "transport/tcp/tcp_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt::transport {

using namespace std::chrono_literals;

// One struct per transport.
struct TcpOverIPv4 {
  using Type = TcpTransport;
  static constexpr const char* name = "tcp_v4";
  static Endpoint any() { return {"iiop", "127.0.0.1", 0}; }
  static Endpoint impossible() { return {"iiop", "", 7}; }
  static constexpr bool forgets_gone_servers = false;
};
struct TcpOverIPv6 : TcpOverIPv4 {
  static constexpr const char* name = "tcp_v6";
  static Endpoint any() { return {"iiop", "::1", 0}; }
};

struct UnixPath {
  using Type = UdsTransport;
  static constexpr const char* name = "unix_path";
  static Endpoint any() { return {"unix", "", 0}; }
  static Endpoint impossible() { return {"unix", std::string(200, 'x'), 0}; }
  static constexpr bool forgets_gone_servers = true;  // with the file
};
struct UnixAbstract : UnixPath {
  static constexpr const char* name = "unix_abstract";
  static Endpoint any() {
    static int count = 0;
    return {"unix", "@takt-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++), 0};
  }
  static constexpr bool forgets_gone_servers = false;
};

using Transports = ::testing::Types<TcpOverIPv4, TcpOverIPv6, UnixPath, UnixAbstract>;

struct TransportName {
  template <class T>
  static std::string GetName(int) {
    return T::name;
  }
};

// Long enough for any machine; the watchdog is ctest's.
inline os::TimePoint soon() { return os::Clock::now() + 30s; }

template <class T>
class TransportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto listening = transport_.listen(T::any(), options_);
    if (!listening) GTEST_SKIP() << listening.error().text;
    acceptor_ = std::move(*listening);
  }

  auto connect(const Endpoint& to, os::TimePoint deadline = soon()) {
    return transport_.connect(to, deadline, options_.stream);
  }

  // One connection: what the transport gave and what the acceptor gave.
  void open_one() {
    auto connected = connect(acceptor_->local_endpoint());
    ASSERT_TRUE(connected) << connected.error().text;
    client_ = std::move(*connected);
    acceptor_->set_blocking(true);
    auto accepted = acceptor_->accept();
    ASSERT_TRUE(accepted);
    server_ = std::move(*accepted);
    acceptor_->set_blocking(false);
  }

  typename T::Type transport_;
  ListenOptions options_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<Stream> client_, server_;
};

inline ByteView octets_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Octets that differ from their neighbours and from those a power of two away.
inline std::vector<std::uint8_t> pattern(std::size_t count) {
  std::vector<std::uint8_t> octets(count);
  for (std::size_t i = 0; i < count; ++i)
    octets[i] = static_cast<std::uint8_t>(i * 131 + (i >> 8) * 17 + (i >> 16));
  return octets;
}

// Until `into` is full or the stream says something else than ok.
inline IoResult read_all(Stream& stream, MutableBytes into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const IoResult result = stream.read(into.subspan(done));
    if (result.status != IoStatus::ok) return {done, result.status, result.error};
    done += result.bytes;
  }
  return {done, IoStatus::ok, 0};
}

inline IoResult write_all(Stream& stream, ByteView octets) {
  std::size_t done = 0;
  while (done < octets.size()) {
    const IoResult result = stream.write(octets.subspan(done));
    if (result.status != IoStatus::ok) return {done, result.status, result.error};
    done += result.bytes;
  }
  return {done, IoStatus::ok, 0};
}

inline std::string read_text(Stream& stream, std::size_t count) {
  std::string text(count, '\0');
  const IoResult result = read_all(stream, {reinterpret_cast<std::uint8_t*>(text.data()), count});
  text.resize(result.bytes);
  return text;
}

}  // namespace takt::transport
