#include "transports.h"

#include <unistd.h>

#include <atomic>
#include <thread>

#include "certificates.h"
#include "plugin_transport.h"
#include "transport/inproc/inproc_transport.h"
#include "transport/shm/shm_transport.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/tls/tls_transport.h"
#include "transport/udp/udp_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt::transport {
namespace {

template <class T>
std::unique_ptr<Transport> make() {
  return std::make_unique<T>();
}

std::unique_ptr<Transport> make_tls(TlsVersion lowest, TlsVersion highest) {
  static const test::Authority authority;
  static const test::Credentials credentials = authority.issue({.name = "server"});
  TlsOptions options;
  options.certificate_file = credentials.certificate_file;
  options.key_file = credentials.key_file;
  options.authorities = authority.file();
  options.lowest = lowest;
  options.highest = highest;
  return std::make_unique<TlsTransport>(options);
}

}  // namespace

namespace tested {

const TestedTransport tcp_v4{
    .name = "tcp_v4",
    .make = make<TcpTransport>,
    .any = [] { return Endpoint{"iiop", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"iiop", "", 7}; },
};
const TestedTransport tcp_v6{
    .name = "tcp_v6",
    .make = make<TcpTransport>,
    .any = [] { return Endpoint{"iiop", "::1", 0}; },
    .impossible = tcp_v4.impossible,
};
const TestedTransport unix_path{
    .name = "unix_path",
    .make = make<UdsTransport>,
    .any = [] { return Endpoint{"unix", "", 0}; },
    .impossible = [] { return Endpoint{"unix", std::string(200, 'x'), 0}; },
    .forgets_gone_servers = true,  // when the file is removed
};
const TestedTransport unix_abstract{
    .name = "unix_abstract",
    .make = make<UdsTransport>,
    .any =
        [] {
          static int count = 0;
          return Endpoint{"unix", "@takt-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++),
                          0};
        },
    .impossible = unix_path.impossible,
};
const TestedTransport shared_memory{
    .name = "shared_memory",
    .make = make<ShmTransport>,
    .any = [] { return Endpoint{"shm", "", 0}; },
    .impossible = [] { return Endpoint{"shm", std::string(200, 'x'), 0}; },
    .forgets_gone_servers = true,
};
const TestedTransport in_process{
    .name = "in_process",
    .make = make<InprocTransport>,
    .any = [] { return Endpoint{"inproc", "", 0}; },
    .impossible = [] { return Endpoint{"inproc", std::string(200, 'x'), 0}; },
};
const TestedTransport tls_1_3{
    .name = "tls_1_3",
    .make = [] { return make_tls(TlsVersion::v1_3, TlsVersion::v1_3); },
    .any = [] { return Endpoint{"ssliop", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"ssliop", "", 7}; },
    .shakes_hands = true,
    .waits_in = ConnectError::Phase::tls,
};
const TestedTransport tls_1_2{
    .name = "tls_1_2",
    .make = [] { return make_tls(TlsVersion::v1_2, TlsVersion::v1_2); },
    .any = tls_1_3.any,
    .impossible = tls_1_3.impossible,
    .shakes_hands = true,
    .waits_in = ConnectError::Phase::tls,
};
const TestedTransport udp_v4{
    .name = "udp_v4",
    .make = make<UdpTransport>,
    .any = [] { return Endpoint{"udp", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"udp", "", 7}; },
    .shakes_hands = true,
};
const TestedTransport udp_v6{
    .name = "udp_v6",
    .make = make<UdpTransport>,
    .any = [] { return Endpoint{"udp", "::1", 0}; },
    .impossible = udp_v4.impossible,
    .shakes_hands = true,
};
const TestedTransport plugin{
    .name = "plugin",
    .make = make<PluginTransport>,
    .any = [] { return Endpoint{"traced", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"traced", "", 7}; },
};

}  // namespace tested

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
