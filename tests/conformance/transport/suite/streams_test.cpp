// Properties of streams: statuses, timeouts, ends.
#include <cerrno>
#include <thread>

#include "transport_suite.h"

namespace takt::transport {

class StreamTest : public EachConnection {
 protected:
  IoResult read_one() { return server_->read({&octet, 1}); }
  std::uint8_t octet = 0;
};
INSTANTIATE_TEST_SUITE_P(Each, StreamTest, for_each_transport, transport_name);

TEST_P(StreamTest, CarriesOctetsBothWays) {
  EXPECT_EQ(client_->write(octets_of("ping")).bytes, 4u);
  EXPECT_EQ(read_text(*server_, 4), "ping");
  EXPECT_EQ(server_->write(octets_of("pong")).bytes, 4u);
  EXPECT_EQ(read_text(*client_, 4), "pong");
}

TEST_P(StreamTest, ReadsWhatIsThereAndDoesNotWaitForTheRest) {
  client_->write(octets_of("abc"));
  std::uint8_t room[100];
  const IoResult result = server_->read(room);
  EXPECT_EQ(result.status, IoStatus::ok);
  EXPECT_GE(result.bytes, 1u);
  EXPECT_LE(result.bytes, 3u);
}

TEST_P(StreamTest, MovingNothingIsAMistake) {
  const ByteView empties[3];
  for (const IoResult result : {client_->write({}), client_->write_gather({}), client_->write_gather(empties),
                                client_->write_gather({empties, 1})}) {
    EXPECT_EQ(result.status, IoStatus::failed);
    EXPECT_EQ(result.error, EINVAL);
  }
  client_->write(octets_of("x"));
  EXPECT_EQ(server_->read({}).error, EINVAL);
  EXPECT_EQ(read_text(*server_, 1), "x");
}

TEST_P(StreamTest, ABlockingReadEndsWithItsTimeoutAndTheStreamGoesOn) {
  ASSERT_TRUE(server_->set_timeouts(2ms, 0s));
  EXPECT_EQ(read_one().status, IoStatus::timed_out);
  client_->write(octets_of("x"));
  ASSERT_TRUE(server_->set_timeouts(0s, 0s));
  EXPECT_EQ(read_one().status, IoStatus::ok);
}

TEST_P(StreamTest, AStreamThatIsSilentForTooLongIsGivenUp) {
  using Clock = std::chrono::steady_clock;
  for (const auto patience : {std::chrono::milliseconds(2), std::chrono::milliseconds(1000)}) {
    ASSERT_TRUE(server_->set_silence_limit(patience));
    bool in_time = false;  // at least once: a busy machine can delay it
    for (int i = 0; i < 10 && !in_time; ++i) {
      client_->write(octets_of("x"));
      EXPECT_EQ(read_one().status, IoStatus::ok);
      const auto start = Clock::now();
      EXPECT_EQ(read_one().status, IoStatus::timed_out);
      const auto silent = Clock::now() - start;
      EXPECT_GE(silent, patience);
      in_time = silent < 2 * patience + std::chrono::milliseconds(100);
    }
    EXPECT_TRUE(in_time);
  }
}

TEST_P(StreamTest, PatienceCountsFromEachRead) {
  ASSERT_TRUE(server_->set_silence_limit(1s));
  for (int i = 0; i < 3; ++i) {
    std::thread late([this] {
      std::this_thread::sleep_for(600ms);
      client_->write(octets_of("x"));
    });
    EXPECT_EQ(read_one().status, IoStatus::ok);
    late.join();
  }
}

TEST_P(StreamTest, ABlockingWriteToAPeerThatDoesNotReadEndsWithItsTimeout) {
  ASSERT_TRUE(client_->set_timeouts(0s, 5ms));
  EXPECT_TRUE(client_->has_room_for_small_write());
  const auto octets = pattern(256 * 1024);
  IoResult result;
  do result = client_->write(octets);
  while (result.status == IoStatus::ok);
  EXPECT_EQ(result.status, IoStatus::timed_out);
  EXPECT_EQ(result.bytes, 0u);
  EXPECT_FALSE(client_->has_room_for_small_write());
}

TEST_P(StreamTest, AWriterSetsItsTimeoutBesideAReaderThatWaits) {
  IoResult read;
  std::thread reader([&] { read = client_->read({&octet, 1}); });
  ASSERT_TRUE(client_->set_write_timeout(5ms));
  const auto octets = pattern(256 * 1024);
  IoResult result;
  do result = client_->write(octets);
  while (result.status == IoStatus::ok);
  EXPECT_EQ(result.status, IoStatus::timed_out);
  server_->set_blocking(false);
  server_->write(octets_of("x"));
  reader.join();
  EXPECT_EQ(read.status, IoStatus::ok);
}

TEST_P(StreamTest, ANonBlockingStreamSaysSo) {
  server_->set_blocking(false);
  EXPECT_EQ(read_one().status, IoStatus::would_block);
  const auto octets = pattern(256 * 1024);
  IoResult result;
  do result = server_->write(octets);
  while (result.status == IoStatus::ok);
  EXPECT_EQ(result.status, IoStatus::would_block);
  const ByteView pieces[] = {octets, octets};
  EXPECT_EQ(server_->write_gather(pieces).status, IoStatus::would_block);
}

TEST_P(StreamTest, WhatWasSentBeforeTheEndIsReadFirst) {
  client_->write(octets_of("last words"));
  client_.reset();
  EXPECT_EQ(read_text(*server_, 10), "last words");
  EXPECT_EQ(read_one().status, IoStatus::end_of_stream);
  EXPECT_EQ(read_one().status, IoStatus::end_of_stream);
}

TEST_P(StreamTest, WritingToAPeerThatIsGoneFailsWithoutASignal) {
  client_.reset();
  IoResult result;
  do result = server_->write(octets_of("anybody?"));
  while (result.status == IoStatus::ok);
  EXPECT_EQ(result.status, IoStatus::failed);
  EXPECT_TRUE(result.error == EPIPE || result.error == ECONNRESET) << result.error;
  const ByteView pieces[] = {octets_of("any"), octets_of("body")};
  EXPECT_EQ(server_->write_gather(pieces).status, IoStatus::failed);
}

TEST_P(StreamTest, APeerThatClosesWithoutReadingIsAnEndOrAFailureButNoHang) {
  server_->write(octets_of("unread"));
  ASSERT_EQ(read_text(*client_, 1), "u");
  client_.reset();
  const IoResult result = read_one();
  EXPECT_TRUE(result.status == IoStatus::failed || result.status == IoStatus::end_of_stream);
}

TEST_P(StreamTest, ShutDownWakesABlockedReader) {
  IoResult result{};
  std::thread reader([&] { result = read_one(); });
  server_->shut_down();
  reader.join();
  EXPECT_EQ(result.status, IoStatus::end_of_stream);
  EXPECT_EQ(read_text(*client_, 1), "");
}

TEST_P(StreamTest, ShutDownWakesABlockedWriter) {
  IoResult result{};
  std::thread writer([&] {
    const auto octets = pattern(64 * 1024);
    do result = server_->write(octets);
    while (result.status == IoStatus::ok);
  });
  server_->shut_down();
  writer.join();
  EXPECT_EQ(result.status, IoStatus::failed);
}

TEST_P(StreamTest, ShutDownReadingKeepsWhatArrivedAndTheOtherDirection) {
  client_->write(octets_of("x"));
  ASSERT_TRUE(becomes_readable(server_->native_handle()));
  server_->shut_down_reading();
  EXPECT_EQ(read_text(*server_, 1), "x");
  EXPECT_EQ(read_one().status, IoStatus::end_of_stream);
  server_->write(octets_of("still here"));
  EXPECT_EQ(read_text(*client_, 10), "still here");
}

TEST_P(StreamTest, ShutDownReadingWakesABlockedReader) {
  IoResult result{};
  std::thread reader([&] { result = read_one(); });
  server_->shut_down_reading();
  reader.join();
  EXPECT_EQ(result.status, IoStatus::end_of_stream);
}

TEST_P(StreamTest, ShutDownReadingEndsReadsThatDoNotBlock) {
  server_->set_blocking(false);
  server_->shut_down_reading();
  EXPECT_TRUE(becomes_readable(server_->native_handle()));
  EXPECT_EQ(read_one().status, IoStatus::end_of_stream);
}

// Otherwise a request could be made again elsewhere although the server runs it.
TEST_P(StreamTest, WhatCouldNotBeWrittenIsNotReadAfterReadingWasShutDown) {
  client_->write(octets_of("x"));
  server_->set_blocking(false);
  ASSERT_TRUE(becomes_readable(server_->native_handle()));
  EXPECT_EQ(read_text(*server_, 1), "x");
  EXPECT_EQ(read_one().status, IoStatus::would_block);
  server_->shut_down_reading();
  const bool written = client_->write(octets_of("y")).bytes != 0;
  const IoResult read = read_one();
  EXPECT_TRUE(written || read.bytes == 0);
}

TEST_P(StreamTest, DescribesItsTwoEnds) {
  const std::string of_client = client_->describe(), of_server = server_->describe();
  const Endpoint local = acceptor_->local_endpoint();
  const std::string end = local.port == 0 ? local.host : std::to_string(local.port);
  EXPECT_TRUE(of_client.ends_with(end)) << of_client;
  EXPECT_NE(of_client.find(local.host), std::string::npos) << of_client;
  // "tcp A -> B" at one end must be "tcp B -> A" at the other.
  const auto start = of_client.find(' ') + 1, arrow = of_client.find(" -> ");
  ASSERT_NE(arrow, std::string::npos);
  std::string swapped = of_client.substr(0, start);
  swapped.append(of_client, arrow + 4).append(" -> ").append(of_client, start, arrow - start);
  EXPECT_EQ(of_server, swapped);
  client_.reset();
  EXPECT_EQ(server_->describe(), of_server);
}

// An empty address is unknown.
TEST_P(StreamTest, NamesItsPeerLikeItsDescription) {
  for (const Stream* const stream : {client_.get(), server_.get()}) {
    const std::string peer = stream->peer_address();
    EXPECT_TRUE(stream->describe().find(peer) != std::string::npos) << stream->describe() << ": " << peer;
    EXPECT_EQ(stream->peer_address(), peer);
  }
  const Endpoint local = acceptor_->local_endpoint();
  const std::string end = local.port == 0 ? local.host : std::to_string(local.port);
  const std::string peer = client_->peer_address();
  EXPECT_TRUE(peer.empty() || peer.ends_with(end)) << peer;
}

TEST_P(StreamTest, HasAHandleToWaitFor) { EXPECT_GE(client_->native_handle(), 0); }

}  // namespace takt::transport
