// The transports that the suite runs over, and what its tests need.
#pragma once

#include <gtest/gtest.h>
#include <takt/transport/transport.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "os/poll/wait.h"

namespace takt::transport {

using namespace std::chrono_literals;

// What the suite knows of a transport.
struct TestedTransport {
  const char* name;
  std::unique_ptr<Transport> (*make)();
  Endpoint (*any)();         // to listen on; another one each time where names are not given by the system
  Endpoint (*impossible)();  // which is not even an address
  bool forgets_gone_servers = false;
  bool shakes_hands = false;  // connecting ends only when the server takes part
  ConnectError::Phase waits_in = ConnectError::Phase::connect;  // for a server that does not answer
};

namespace tested {
extern const TestedTransport tcp_v4, tcp_v6, unix_path, unix_abstract, shared_memory, in_process, tls_1_3,
    tls_1_2, udp_v4, udp_v6, plugin;
}  // namespace tested

// Long enough for any machine; the watchdog is ctest's.
inline os::TimePoint soon() { return os::Clock::now() + 30s; }

// A test of one transport, which listens.
class TransportTest : public ::testing::Test {
 protected:
  explicit TransportTest(const TestedTransport& tested) : tested_(tested), transport_(tested.make()) {}
  void SetUp() override;

  // Where that takes the server's part, this accepts meanwhile.
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline = soon());
  AcceptResult accept();
  // One connection: what the transport gave and what the acceptor gave.
  void open_one();

  const TestedTransport& tested_;
  const std::unique_ptr<Transport> transport_;
  ListenOptions options_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<Stream> client_, server_;
  std::deque<std::unique_ptr<Stream>> early_;
};

// A test of each transport: a suite of them is instantiated with Each, for_each_transport, transport_name.
class EachTransport : public TransportTest, public ::testing::WithParamInterface<const TestedTransport*> {
 protected:
  EachTransport() : TransportTest(*GetParam()) {}
};

// The same, and it has a connection.
class EachConnection : public EachTransport {
 protected:
  void SetUp() override;
};

inline const auto for_each_transport =
    ::testing::Values(&tested::tcp_v4, &tested::tcp_v6, &tested::unix_path, &tested::unix_abstract,
                      &tested::shared_memory, &tested::in_process, &tested::tls_1_3, &tested::tls_1_2,
                      &tested::udp_v4, &tested::udp_v6, &tested::plugin);
inline std::string transport_name(const ::testing::TestParamInfo<const TestedTransport*>& info) {
  return info.param->name;
}

inline ByteView octets_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Octets that differ from their neighbours and from those a power of two away.
std::vector<std::uint8_t> pattern(std::size_t count);

// Until `into` is full or the stream says something else than ok.
IoResult read_all(Stream& stream, MutableBytes into);
IoResult write_all(Stream& stream, ByteView octets);
std::string read_text(Stream& stream, std::size_t count);

}  // namespace takt::transport
