// A stream over datagrams, with links that lose, duplicate and reorder them.
#include "transport/udp/datagram_flow.h"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>
#include <optional>
#include <random>
#include <string>

namespace takt::transport {
namespace {

constexpr std::uint64_t token = 7;

struct Sent {
  Datagram head;
  std::vector<std::uint8_t> body;
};

std::optional<Sent> sent_by(DatagramFlow& flow) {
  DatagramFlow::Outgoing outgoing;
  if (!flow.next(outgoing)) return std::nullopt;
  Sent sent{Datagram::decode(outgoing.head).value(), {outgoing.first.begin(), outgoing.first.end()}};
  sent.body.insert(sent.body.end(), outgoing.second.begin(), outgoing.second.end());
  EXPECT_EQ(sent.head.token, token);
  return sent;
}

std::string taken_by(DatagramFlow& flow, const Sent& sent) {
  const auto fresh = flow.receive(sent.head, sent.body.size());
  EXPECT_LE(fresh.skip + fresh.count, sent.body.size());
  return {sent.body.begin() + static_cast<std::ptrdiff_t>(fresh.skip),
          sent.body.begin() + static_cast<std::ptrdiff_t>(fresh.skip + fresh.count)};
}

std::size_t put(DatagramFlow& flow, std::string_view text) {
  const ByteView piece(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return flow.put({&piece, 1});
}

class Flows : public testing::Test {
 protected:
  DatagramLimits limits_{100, 1024};
  DatagramFlow client_{token, limits_}, server_{token, limits_};
};

TEST_F(Flows, ACallIsADatagramEachWay) {
  for (int call = 0; call < 3; ++call) {
    EXPECT_EQ(put(client_, "request"), 7u);
    EXPECT_EQ(taken_by(server_, sent_by(client_).value()), "request");
    EXPECT_FALSE(sent_by(client_));
    EXPECT_FALSE(sent_by(server_)) << "the reply says that it has come";
    put(server_, "reply");
    EXPECT_EQ(taken_by(client_, sent_by(server_).value()), "reply");
    EXPECT_TRUE(client_.acknowledged());
    EXPECT_FALSE(sent_by(client_)) << "the next request says so";
  }
}

TEST_F(Flows, WhatComesTwiceIsTakenOnceAndAnswered) {
  put(client_, "request");
  const Sent request = sent_by(client_).value();
  EXPECT_EQ(taken_by(server_, request), "request");
  EXPECT_EQ(taken_by(server_, request), "");
  const Sent answer = sent_by(server_).value();
  EXPECT_EQ(answer.head.acknowledged, 7u);
  EXPECT_FALSE(sent_by(server_));
}

TEST_F(Flows, ALostReplyComesAgainWhenTheClientAsks) {
  put(client_, "request");
  taken_by(server_, sent_by(client_).value());
  put(server_, "reply");
  ASSERT_TRUE(sent_by(server_));
  EXPECT_FALSE(sent_by(server_));
  client_.repeat();
  EXPECT_EQ(taken_by(server_, sent_by(client_).value()), "") << "it is not run again";
  EXPECT_EQ(taken_by(client_, sent_by(server_).value()), "reply");
  client_.repeat();
  const Sent question = sent_by(client_).value();
  EXPECT_TRUE(question.body.empty());
  taken_by(server_, question);
  EXPECT_TRUE(sent_by(server_).value().body.empty()) << "there is nothing that the client lacks";
}

TEST_F(Flows, WhatIsAheadIsAskedForOnce) {
  put(client_, std::string(100, 'a'));
  const Sent lost = sent_by(client_).value();
  put(client_, std::string(100, 'b'));
  const Sent second = sent_by(client_).value();
  put(client_, std::string(100, 'c'));
  const Sent third = sent_by(client_).value();
  EXPECT_EQ(taken_by(server_, second), "");
  const Sent complaint = sent_by(server_).value();
  EXPECT_NE(complaint.head.flags & Datagram::gap, 0);
  EXPECT_EQ(taken_by(server_, third), "");
  taken_by(client_, complaint);
  std::string all;
  while (const auto again = sent_by(client_)) {
    all += taken_by(server_, *again);
    while (const auto answer = sent_by(server_)) taken_by(client_, *answer);
  }
  EXPECT_EQ(all, std::string(100, 'a') + std::string(100, 'b') + std::string(100, 'c'));
}

TEST_F(Flows, SmallOnesGoAgainTogether) {
  for (const char* text : {"one ", "two ", "three "}) {
    put(client_, text);
    sent_by(client_);
  }
  client_.repeat();
  EXPECT_EQ(taken_by(server_, sent_by(client_).value()), "one two three ");
}

TEST_F(Flows, KeepNoMoreThanTheirWindow) {
  EXPECT_EQ(put(client_, std::string(5000, 'x')), 1024u);
  EXPECT_EQ(client_.room(), 0u);
  EXPECT_EQ(put(client_, "y"), 0u);
}

TEST_F(Flows, TheEndComesBehindTheOctets) {
  put(client_, "last words");
  client_.end(true);
  const Sent last = sent_by(client_).value();
  EXPECT_FALSE(sent_by(client_));
  EXPECT_EQ(taken_by(server_, last), "last words");
  EXPECT_TRUE(server_.peer_ended());
  EXPECT_TRUE(server_.peer_deaf());
  Sent more = last;
  more.head.position += 10;
  EXPECT_EQ(taken_by(server_, more), "");
}

TEST_F(Flows, AnEndThatOvertakesOctetsIsNone) {
  put(client_, std::string(150, 'x'));
  const Sent first = sent_by(client_).value();
  client_.end(false);
  const Sent second = sent_by(client_).value();
  taken_by(server_, second);
  EXPECT_FALSE(server_.peer_ended());
  EXPECT_EQ(taken_by(server_, first).size(), 100u);
  EXPECT_EQ(taken_by(server_, second).size(), 50u);
  EXPECT_TRUE(server_.peer_ended());
  EXPECT_FALSE(server_.peer_deaf());
}

TEST_F(Flows, NumbersThatAreNonsenseChangeNothing) {
  put(client_, "request");
  sent_by(client_);
  for (const std::uint32_t number : {8u, 1000u, 0x7fffffffu, 0x80000000u, 0xfffffff0u}) {
    EXPECT_EQ(taken_by(client_, {{Datagram::Kind::data, 0, token, 0, number}, {}}), "");
    EXPECT_FALSE(client_.acknowledged());
    EXPECT_EQ(client_.room(), 1024u - 7u);
    EXPECT_EQ(taken_by(client_, {{Datagram::Kind::data, 0, token, number, 0}, {1, 2, 3}}), "");
  }
}

// Two ends, of which the client waits, and a network.
class Network {
 public:
  explicit Network(unsigned seed) : random_(seed) {}

  // Runs until both ends have all data; false if that does not happen.
  bool run(const std::string& requests, const std::string& replies) {
    std::size_t asked = 0, answered = 0;
    for (int step = 0; step < 20'000; ++step) {
      asked += put(client, std::string_view(requests).substr(asked, random_() % 300));
      if (random_() % 2 == 0)
        answered += put(server, std::string_view(replies).substr(answered, random_() % 900));
      exchange(client, to_server_);
      exchange(server, to_client_);
      at_server += arrived(server, to_server_);
      at_client += arrived(client, to_client_);
      if (at_server.size() == requests.size() && at_client.size() == replies.size()) return true;
      if (to_server_.empty() && to_client_.empty()) client.repeat();
    }
    return false;
  }

  DatagramFlow client{token, {200, 2048}}, server{token, {150, 1024}};
  std::string at_server, at_client;

 private:
  void exchange(DatagramFlow& from, std::deque<Sent>& link) {
    while (auto sent = sent_by(from)) {
      if (random_() % 4 == 0) continue;
      if (random_() % 8 == 0) link.push_front(*sent);
      if (random_() % 8 == 0)
        link.push_front(std::move(*sent));
      else
        link.push_back(std::move(*sent));
    }
  }
  std::string arrived(DatagramFlow& at, std::deque<Sent>& link) {
    std::string text;
    for (unsigned i = random_() % 8; i > 0 && !link.empty(); --i) {
      text += taken_by(at, link.front());
      link.pop_front();
    }
    return text;
  }

  std::mt19937 random_;
  std::deque<Sent> to_server_, to_client_;
};

class LossyNetwork : public testing::TestWithParam<unsigned> {};

TEST_P(LossyNetwork, EverythingArrivesOnceAndInOrder) {
  Network network(GetParam());
  std::string requests(20'000, ' '), replies(30'000, ' ');
  for (std::size_t i = 0; i < requests.size(); ++i) requests[i] = static_cast<char>(i * 31 + i / 256);
  for (std::size_t i = 0; i < replies.size(); ++i) replies[i] = static_cast<char>(i * 37 + i / 256);
  ASSERT_TRUE(network.run(requests, replies));
  EXPECT_TRUE(network.at_server == requests);
  EXPECT_TRUE(network.at_client == replies);
}
INSTANTIATE_TEST_SUITE_P(Seeds, LossyNetwork, testing::Range(0U, 40U));

}  // namespace
}  // namespace takt::transport
