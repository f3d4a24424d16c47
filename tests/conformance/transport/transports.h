// The transports that the suite runs over, and what its tests need.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "certificates.h"
#include "os/poll/wait.h"
#include "plugin_transport.h"
#include "transport/inproc/inproc_transport.h"
#include "transport/shm/shm_transport.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/tls/tls_transport.h"
#include "transport/udp/udp_transport.h"
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
  static constexpr bool shakes_hands = false;  // connecting ends only when the server takes part
  static constexpr auto waits_in = ConnectError::Phase::connect;  // for a server that does not answer
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
  static constexpr bool shakes_hands = false;
  static constexpr auto waits_in = ConnectError::Phase::connect;
};
struct UnixAbstract : UnixPath {
  static constexpr const char* name = "unix_abstract";
  static Endpoint any() {
    static int count = 0;
    return {"unix", "@takt-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++), 0};
  }
  static constexpr bool forgets_gone_servers = false;
};

struct SharedMemory : UnixPath {
  using Type = ShmTransport;
  static constexpr const char* name = "shared_memory";
  static Endpoint any() { return {"shm", "", 0}; }
  static Endpoint impossible() { return {"shm", std::string(200, 'x'), 0}; }
};

struct InProcess : UnixPath {
  using Type = InprocTransport;
  static constexpr const char* name = "in_process";
  static Endpoint any() { return {"inproc", "", 0}; }
  static Endpoint impossible() { return {"inproc", std::string(200, 'x'), 0}; }
  static constexpr bool forgets_gone_servers = false;
};

template <TlsVersion version>
class TestedTls : public TlsTransport {
 public:
  TestedTls() : TlsTransport(options()) {}

 private:
  static TlsOptions options() {
    static const test::Authority authority;
    static const test::Credentials credentials = authority.issue({.name = "server"});
    TlsOptions options;
    options.certificate_file = credentials.certificate_file;
    options.key_file = credentials.key_file;
    options.authorities = authority.file();
    options.lowest = version;
    if (version == TlsVersion::v1_2) options.highest = TlsVersion::v1_2;
    return options;
  }
};
struct Tls13 : TcpOverIPv4 {
  using Type = TestedTls<TlsVersion::v1_3>;
  static constexpr const char* name = "tls_1_3";
  static Endpoint any() { return {"ssliop", "127.0.0.1", 0}; }
  static Endpoint impossible() { return {"ssliop", "", 7}; }
  static constexpr bool shakes_hands = true;
  static constexpr auto waits_in = ConnectError::Phase::tls;
};
struct Tls12 : Tls13 {
  using Type = TestedTls<TlsVersion::v1_2>;
  static constexpr const char* name = "tls_1_2";
};

struct UdpOverIPv4 : TcpOverIPv4 {
  using Type = UdpTransport;
  static constexpr const char* name = "udp_v4";
  static Endpoint any() { return {"udp", "127.0.0.1", 0}; }
  static Endpoint impossible() { return {"udp", "", 7}; }
  static constexpr bool shakes_hands = true;
};
struct UdpOverIPv6 : UdpOverIPv4 {
  static constexpr const char* name = "udp_v6";
  static Endpoint any() { return {"udp", "::1", 0}; }
};

struct Plugin : TcpOverIPv4 {
  using Type = PluginTransport;
  static constexpr const char* name = "plugin";
  static Endpoint any() { return {"traced", "127.0.0.1", 0}; }
  static Endpoint impossible() { return {"traced", "", 7}; }
};

using Transports = ::testing::Types<TcpOverIPv4, TcpOverIPv6, UnixPath, UnixAbstract, SharedMemory, InProcess,
                                    Tls13, Tls12, UdpOverIPv4, UdpOverIPv6, Plugin>;

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

  // Where that takes the server's part, this accepts meanwhile.
  auto connect(const Endpoint& to, os::TimePoint deadline = soon()) {
    ConnectResult connected = Unexpected(ConnectError{});
    if (!T::shakes_hands || !acceptor_) {
      connected = transport_.connect(to, deadline, options_.stream);
      return connected;
    }
    std::atomic<bool> done = false;
    std::thread client([&] {
      connected = transport_.connect(to, deadline, options_.stream);
      done = true;
    });
    const auto waits = [this](std::chrono::milliseconds time) {
      return os::wait_ready(acceptor_->native_handle(), os::Interest::read, os::Clock::now() + time) ==
             os::WaitResult::ready;
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

  AcceptResult accept() {
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

  // One connection: what the transport gave and what the acceptor gave.
  void open_one() {
    auto connected = connect(acceptor_->local_endpoint());
    ASSERT_TRUE(connected) << connected.error().text;
    client_ = std::move(*connected);
    auto accepted = accept();
    ASSERT_TRUE(accepted);
    server_ = std::move(*accepted);
  }

  typename T::Type transport_;
  ListenOptions options_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<Stream> client_, server_;
  std::deque<std::unique_ptr<Stream>> early_;
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
