// The contract of transports as tests, which run over any transport. A program links the suite's files and
// defines tested_transports(); find_package(Takt COMPONENTS conformance) has a function that does the former.
#pragma once

#include <gtest/gtest.h>
#include <takt/transport/transport.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace takt::transport {

using namespace std::chrono_literals;

// The suite's knowledge of a transport. `name` is in the names of the tests: letters, digits and underscores.
struct TestedTransport {
  const char* name;
  std::unique_ptr<Transport> (*make)();
  Endpoint (*any)();         // to listen on; different each time unless the system chooses names
  Endpoint (*impossible)();  // not a valid address
  bool forgets_gone_servers = false;
  bool shakes_hands = false;  // connecting needs the server's participation
  // Phase in which a client waits for a server that does not answer.
  ConnectError::Phase waits_in = ConnectError::Phase::connect;
};

// The transports to test, in the order of the tests. The program that links the suite defines this function.
std::vector<const TestedTransport*> tested_transports();

// Long enough for any machine; ctest has the watchdog.
inline os::TimePoint soon() { return os::Clock::now() + 30s; }

// A test of one transport, with a listener.
class TransportTest : public ::testing::Test {
 protected:
  explicit TransportTest(const TestedTransport& tested) : tested_(tested), transport_(tested.make()) {}
  void SetUp() override;

  // Connects, and accepts meanwhile where connecting needs the server.
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline = soon());
  AcceptResult accept();
  // Opens a connection: the transport's end and the acceptor's end.
  void open_one();

  const TestedTransport& tested_;
  const std::unique_ptr<Transport> transport_;
  ListenOptions options_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<Stream> client_, server_;
  std::deque<std::unique_ptr<Stream>> early_;
};

// A test that runs for each transport: instantiate a suite with Each, for_each_transport, transport_name.
class EachTransport : public TransportTest, public ::testing::WithParamInterface<const TestedTransport*> {
 protected:
  EachTransport() : TransportTest(*GetParam()) {}
};

// The same with an open connection.
class EachConnection : public EachTransport {
 protected:
  void SetUp() override;
};

inline const auto for_each_transport = ::testing::ValuesIn(tested_transports());
inline std::string transport_name(const ::testing::TestParamInfo<const TestedTransport*>& info) {
  return info.param->name;
}

inline ByteView octets_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Whether the handle becomes ready to read, or to write, within the time.
bool becomes_readable(int handle, std::chrono::milliseconds time = 30s);
bool becomes_writable(int handle, std::chrono::milliseconds time = 30s);

// Octets that differ from their neighbours and from those at distances of powers of two.
std::vector<std::uint8_t> pattern(std::size_t count);

// Reads until `into` is full or the status is not ok.
IoResult read_all(Stream& stream, MutableBytes into);
IoResult write_all(Stream& stream, ByteView octets);
std::string read_text(Stream& stream, std::size_t count);

}  // namespace takt::transport
