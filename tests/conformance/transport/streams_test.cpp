// What a stream says: statuses, timeouts, ends.
#include <cerrno>
#include <thread>

#include "os/poll/wait.h"
#include "transports.h"

namespace takt::transport {

template <class T>
class StreamTest : public TransportTest<T> {
 protected:
  void SetUp() override {
    TransportTest<T>::SetUp();
    if (this->acceptor_) this->open_one();
  }
  IoResult read_one() { return this->server_->read({&octet, 1}); }
  std::uint8_t octet = 0;
};
TYPED_TEST_SUITE(StreamTest, Transports, TransportName);

TYPED_TEST(StreamTest, CarriesOctetsBothWays) {
  EXPECT_EQ(this->client_->write(octets_of("ping")).bytes, 4u);
  EXPECT_EQ(read_text(*this->server_, 4), "ping");
  EXPECT_EQ(this->server_->write(octets_of("pong")).bytes, 4u);
  EXPECT_EQ(read_text(*this->client_, 4), "pong");
}

TYPED_TEST(StreamTest, ReadsWhatIsThereAndDoesNotWaitForTheRest) {
  this->client_->write(octets_of("abc"));
  std::uint8_t room[100];
  const IoResult result = this->server_->read(room);
  EXPECT_EQ(result.status, IoStatus::ok);
  EXPECT_GE(result.bytes, 1u);
  EXPECT_LE(result.bytes, 3u);
}

TYPED_TEST(StreamTest, MovingNothingIsAMistake) {
  const ByteView empties[3];
  for (const IoResult result :
       {this->client_->write({}), this->client_->write_gather({}), this->client_->write_gather(empties),
        this->client_->write_gather({empties, 1})}) {
    EXPECT_EQ(result.status, IoStatus::failed);
    EXPECT_EQ(result.error, EINVAL);
  }
  this->client_->write(octets_of("x"));
  EXPECT_EQ(this->server_->read({}).error, EINVAL);
  EXPECT_EQ(read_text(*this->server_, 1), "x");
}

TYPED_TEST(StreamTest, ABlockingReadEndsWithItsTimeoutAndTheStreamGoesOn) {
  ASSERT_TRUE(this->server_->set_timeouts(2ms, 0s));
  EXPECT_EQ(this->read_one().status, IoStatus::timed_out);
  this->client_->write(octets_of("x"));
  ASSERT_TRUE(this->server_->set_timeouts(0s, 0s));
  EXPECT_EQ(this->read_one().status, IoStatus::ok);
}

TYPED_TEST(StreamTest, AStreamThatIsSilentForTooLongIsGivenUp) {
  using Clock = std::chrono::steady_clock;
  for (const auto patience : {std::chrono::milliseconds(2), std::chrono::milliseconds(1000)}) {
    ASSERT_TRUE(this->server_->give_up_reading_after(patience));
    bool in_time = false;  // once at least: a busy machine adds what it likes
    for (int i = 0; i < 10 && !in_time; ++i) {
      this->client_->write(octets_of("x"));
      EXPECT_EQ(this->read_one().status, IoStatus::ok);
      const auto start = Clock::now();
      EXPECT_EQ(this->read_one().status, IoStatus::timed_out);
      const auto silent = Clock::now() - start;
      EXPECT_GE(silent, patience);
      in_time = silent < 2 * patience + std::chrono::milliseconds(100);
    }
    EXPECT_TRUE(in_time);
  }
}

TYPED_TEST(StreamTest, PatienceCountsFromEachRead) {
  ASSERT_TRUE(this->server_->give_up_reading_after(1s));
  for (int i = 0; i < 3; ++i) {
    std::thread late([this] {
      std::this_thread::sleep_for(600ms);
      this->client_->write(octets_of("x"));
    });
    EXPECT_EQ(this->read_one().status, IoStatus::ok);
    late.join();
  }
}

TYPED_TEST(StreamTest, ABlockingWriteToAPeerThatDoesNotReadEndsWithItsTimeout) {
  ASSERT_TRUE(this->client_->set_timeouts(0s, 5ms));
  EXPECT_TRUE(this->client_->has_room_for_few());
  const auto octets = pattern(256 * 1024);
  IoResult result;
  do result = this->client_->write(octets);
  while (result.status == IoStatus::ok);
  EXPECT_EQ(result.status, IoStatus::timed_out);
  EXPECT_EQ(result.bytes, 0u);
  EXPECT_FALSE(this->client_->has_room_for_few());
}

TYPED_TEST(StreamTest, ANonBlockingStreamSaysSo) {
  this->server_->set_blocking(false);
  EXPECT_EQ(this->read_one().status, IoStatus::would_block);
  const auto octets = pattern(256 * 1024);
  IoResult result;
  do result = this->server_->write(octets);
  while (result.status == IoStatus::ok);
  EXPECT_EQ(result.status, IoStatus::would_block);
  const ByteView pieces[] = {octets, octets};
  EXPECT_EQ(this->server_->write_gather(pieces).status, IoStatus::would_block);
}

TYPED_TEST(StreamTest, WhatWasSentBeforeTheEndIsReadFirst) {
  this->client_->write(octets_of("last words"));
  this->client_.reset();
  EXPECT_EQ(read_text(*this->server_, 10), "last words");
  EXPECT_EQ(this->read_one().status, IoStatus::end_of_stream);
  EXPECT_EQ(this->read_one().status, IoStatus::end_of_stream);
}

TYPED_TEST(StreamTest, WritingToAPeerThatIsGoneFailsWithoutASignal) {
  this->client_.reset();
  IoResult result;
  do result = this->server_->write(octets_of("anybody?"));
  while (result.status == IoStatus::ok);
  EXPECT_EQ(result.status, IoStatus::failed);
  EXPECT_TRUE(result.error == EPIPE || result.error == ECONNRESET) << result.error;
  const ByteView pieces[] = {octets_of("any"), octets_of("body")};
  EXPECT_EQ(this->server_->write_gather(pieces).status, IoStatus::failed);
}

TYPED_TEST(StreamTest, APeerThatClosesWithoutReadingIsAnEndOrAFailureButNoHang) {
  this->server_->write(octets_of("unread"));
  ASSERT_EQ(read_text(*this->client_, 1), "u");
  this->client_.reset();
  const IoResult result = this->read_one();
  EXPECT_TRUE(result.status == IoStatus::failed || result.status == IoStatus::end_of_stream);
}

TYPED_TEST(StreamTest, ShutDownWakesABlockedReader) {
  IoResult result{};
  std::thread reader([&] { result = this->read_one(); });
  this->server_->shut_down();
  reader.join();
  EXPECT_EQ(result.status, IoStatus::end_of_stream);
  EXPECT_EQ(read_text(*this->client_, 1), "");
}

TYPED_TEST(StreamTest, ShutDownWakesABlockedWriter) {
  IoResult result{};
  std::thread writer([&] {
    const auto octets = pattern(64 * 1024);
    do result = this->server_->write(octets);
    while (result.status == IoStatus::ok);
  });
  this->server_->shut_down();
  writer.join();
  EXPECT_EQ(result.status, IoStatus::failed);
}

TYPED_TEST(StreamTest, ShutDownReadingKeepsWhatArrivedAndTheOtherDirection) {
  this->client_->write(octets_of("x"));
  ASSERT_EQ(os::wait_ready(this->server_->native_handle(), os::Interest::read, os::no_deadline),
            os::WaitResult::ready);
  this->server_->shut_down_reading();
  EXPECT_EQ(read_text(*this->server_, 1), "x");
  EXPECT_EQ(this->read_one().status, IoStatus::end_of_stream);
  this->server_->write(octets_of("still here"));
  EXPECT_EQ(read_text(*this->client_, 10), "still here");
}

TYPED_TEST(StreamTest, ShutDownReadingWakesABlockedReader) {
  IoResult result{};
  std::thread reader([&] { result = this->read_one(); });
  this->server_->shut_down_reading();
  reader.join();
  EXPECT_EQ(result.status, IoStatus::end_of_stream);
}

TYPED_TEST(StreamTest, ShutDownReadingEndsReadsThatDoNotBlock) {
  this->server_->set_blocking(false);
  this->server_->shut_down_reading();
  EXPECT_EQ(os::wait_ready(this->server_->native_handle(), os::Interest::read, os::no_deadline),
            os::WaitResult::ready);
  EXPECT_EQ(this->read_one().status, IoStatus::end_of_stream);
}

TYPED_TEST(StreamTest, DescribesItsTwoEnds) {
  const std::string of_client = this->client_->describe(), of_server = this->server_->describe();
  const Endpoint local = this->acceptor_->local_endpoint();
  const std::string end = local.port == 0 ? local.host : std::to_string(local.port);
  EXPECT_TRUE(of_client.ends_with(end)) << of_client;
  EXPECT_NE(of_client.find(local.host), std::string::npos) << of_client;
  // "tcp A -> B" at one end is "tcp B -> A" at the other.
  const auto start = of_client.find(' ') + 1, arrow = of_client.find(" -> ");
  ASSERT_NE(arrow, std::string::npos);
  std::string swapped = of_client.substr(0, start);
  swapped.append(of_client, arrow + 4).append(" -> ").append(of_client, start, arrow - start);
  EXPECT_EQ(of_server, swapped);
  this->client_.reset();
  EXPECT_EQ(this->server_->describe(), of_server);
}

TYPED_TEST(StreamTest, HasAHandleToWaitFor) { EXPECT_GE(this->client_->native_handle(), 0); }

}  // namespace takt::transport
