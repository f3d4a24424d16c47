// Late answers whose caller, adapter or ORB has gone, and clients that are slow or send raw octets.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "later_desk.h"
#include "raw_peer.h"

namespace late {
namespace {

using namespace std::chrono_literals;
using feature::MessageOctets;
using feature::Octets;
using feature::OrbPair;
using feature::RawPeer;

// A two-way Request without contexts in GIOP 1.0 or 1.1.
Octets early_request(std::uint8_t minor, std::uint32_t id, const Octets& key, std::string_view operation,
                     std::string_view argument) {
  MessageOctets message(0);
  message.u32(0).u32(id).raw({1, 0, 0, 0}).sequence(key).text(operation).u32(0);
  if (!argument.empty()) message.text(argument);
  Octets octets = message.finish();
  octets[5] = minor;
  return octets;
}
Octets request(std::uint32_t id, const Octets& key, std::string_view operation, std::string_view argument) {
  auto message = feature::request(id, key, operation, {}, !argument.empty());
  if (!argument.empty()) message.text(argument);
  return message.finish();
}
std::uint32_t number_at(const Octets& octets, std::size_t at) {
  std::uint32_t number = 0;
  if (octets.size() >= at + 4) std::memcpy(&number, &octets[at], 4);
  return number;
}
// The request id of a Reply without contexts.
std::uint32_t id_of(const Octets& reply) {
  if (feature::type_of(reply) != feature::reply_type) return 0;
  return number_at(reply, reply[5] < 2 ? 16 : 12);
}

class LateEnds : public testing::TestWithParam<const char*> {
 protected:
  explicit LateEnds(feature::Options options = {}) {
    orbs.emplace(feature::with(options, {"-ORBServerConcurrency", GetParam()}));
    desk = orbs->publish<Late::Desk>(servant);
    place.emplace(orbs->server->object_to_string(orbs->root->servant_to_reference(servant)));
  }
  bool is_queued() const { return std::string_view(GetParam()) == "worker-pool"; }

  CORBA::servant_reference<LaterDesk> servant = CORBA::make_reference<LaterDesk>();
  std::optional<OrbPair> orbs;
  IDL::traits<Late::Desk>::ref_type desk;
  std::optional<feature::Place> place;
};

TEST_P(LateEnds, OvertakeEachOtherOnGiop12) {
  RawPeer peer(*place);
  peer.send(request(1, place->key, "greet", "keep"));
  const Handler first = servant->kept.take();
  peer.send(request(2, place->key, "greet", "second"));
  EXPECT_EQ(id_of(peer.receive_message()), 2u);
  first->greet("first");
  EXPECT_EQ(id_of(peer.receive_message()), 1u);
}

TEST_P(LateEnds, LeaveInOrderOfTheirRequestsOnGiop10And11) {
  if (is_queued()) GTEST_SKIP() << "its threads answer requests of a connection in any order";
  for (const std::uint8_t minor : {0, 1}) {
    RawPeer peer(*place);
    for (const std::uint32_t id : {1, 2}) peer.send(early_request(minor, id, place->key, "greet", "keep"));
    const Handler first = servant->kept.take(), second = servant->kept.take();
    peer.send(early_request(minor, 3, place->key, "greet", "third"));
    peer.send(early_request(minor, 4, place->key, "rest", ""));
    second->greet("second");
    EXPECT_TRUE(peer.receive(1, 50ms).empty()) << "an answer has overtaken that of an earlier request";
    first->greet("first");
    for (const std::uint32_t id : {1, 2, 3, 4}) {
      const Octets reply = peer.receive_message();
      EXPECT_EQ(id_of(reply), id);
      EXPECT_EQ(reply[5], minor);
    }
  }
}

TEST_P(LateEnds, AreRefusedAboveTheLimitOfReplies) {
  orbs.emplace(feature::Options{"-ORBServerConcurrency", GetParam(), "-ORBMaxReplySize", "10000"});
  desk = orbs->publish<Late::Desk>(servant);
  EXPECT_EQ(desk->echo(Late::Octets(9'000)).size(), 9'000u);
  for (const std::size_t size : {10'000, 1'000'000}) {
    try {
      static_cast<void>(desk->echo(Late::Octets(size)));
      ADD_FAILURE() << size;
    } catch (const CORBA::MARSHAL& refused) {
      EXPECT_EQ(refused.completed(), CORBA::COMPLETED_YES);
    }
  }
  EXPECT_EQ(desk->greet("still"), "hello, still");
}

TEST_P(LateEnds, AreDroppedIfTheConnectionIsOver) {
  Handler handler;
  {
    RawPeer peer(*place);
    peer.send(request(1, place->key, "greet", "keep"));
    handler = servant->kept.take();
  }
  EXPECT_EQ(desk->greet("other"), "hello, other");
  handler->greet("to nobody");
  EXPECT_THROW(handler->greet("again"), CORBA::BAD_INV_ORDER);
  EXPECT_EQ(desk->greet("still"), "hello, still");
}

TEST_P(LateEnds, AreNotHeldUpByACancelRequest) {
  RawPeer peer(*place);
  peer.send(request(7, place->key, "greet", "keep"));
  const Handler handler = servant->kept.take();
  peer.send(MessageOctets(2).u32(7).finish());
  peer.send(MessageOctets(2).u32(99).finish());
  handler->greet("late");
  EXPECT_EQ(id_of(peer.receive_message()), 7u);
}

TEST_P(LateEnds, AreGivenAfterTheObjectAndItsAdapterAreGone) {
  const auto poa = orbs->make_poa({});
  const auto shortlived = CORBA::make_reference<LaterDesk>();
  const auto there = orbs->publish<Late::Desk>(shortlived, poa);
  std::thread answering([&] {
    const Handler handler = shortlived->kept.take();
    poa->destroy(true, true);
    handler->greet("from the ruins");
  });
  EXPECT_EQ(there->greet("keep"), "from the ruins");
  answering.join();
}

TEST_P(LateEnds, AreWaitedForByAShutdown) {
  std::thread answering([this] {
    const Handler handler = servant->kept.take();
    std::thread ending([this] { orbs->stop_server(); });
    std::this_thread::sleep_for(100ms);  // the shutdown begins meanwhile
    handler->greet("in time");
    ending.join();
  });
  EXPECT_EQ(desk->greet("keep"), "in time");
  answering.join();
}

TEST_P(LateEnds, HoldUpAShutdownForItsBoundOnly) {
  orbs.emplace(feature::Options{"-ORBServerConcurrency", GetParam(), "-ORBShutdownTimeout", "200ms"});
  desk = orbs->publish<Late::Desk>(servant);
  Handler handler;
  std::thread ending([&] {
    handler = servant->kept.take();
    orbs->stop_server();
  });
  try {
    desk->greet("keep");
    ADD_FAILURE();
  } catch (const CORBA::COMM_FAILURE& lost) {
    EXPECT_EQ(lost.completed(), CORBA::COMPLETED_MAYBE);
  }
  ending.join();
  handler->greet("too late");
  EXPECT_THROW(handler->greet("again"), CORBA::BAD_INV_ORDER);
}

TEST_P(LateEnds, OutliveTheirOrb) {
  orbs.emplace(feature::Options{"-ORBServerConcurrency", GetParam(), "-ORBShutdownTimeout", "50ms"});
  desk = orbs->publish<Late::Desk>(servant);
  std::thread calling([this] { EXPECT_THROW(desk->greet("keep"), CORBA::SystemException); });
  Handler answered = servant->kept.take();
  orbs->stop_server();
  calling.join();
  desk = nullptr;
  orbs.reset();
  answered->greet_excep(std::make_exception_ptr(Late::NoRoom(1)));
  answered = nullptr;
}

TEST_P(LateEnds, KeepAnIdleConnectionOpen) {
  orbs.emplace(feature::Options{"-ORBServerConcurrency", GetParam(), "-ORBIdleTimeout", "300ms",
                                "-ORBMessageTimeout", "500ms"});
  desk = orbs->publish<Late::Desk>(servant);
  const feature::Place at(orbs->server->object_to_string(orbs->root->servant_to_reference(servant)));
  RawPeer peer(at);
  peer.send(request(1, at.key, "greet", "keep"));
  const Handler handler = servant->kept.take();
  EXPECT_FALSE(peer.is_cut_within(2s));
  handler->greet("late");
  EXPECT_EQ(id_of(peer.receive_message()), 1u);
  EXPECT_TRUE(peer.closes_within(20s)) << "it is idle now";
}

TEST_P(LateEnds, OfAPeerThatDoesNotReadHoldUpNoOther) {
  constexpr std::size_t size = 1'000'000;
  constexpr std::uint32_t count = 20;
  RawPeer peer(*place);
  std::thread sending([&] {
    for (std::uint32_t id = 1; id <= count; ++id) {
      auto message = feature::request(id, place->key, "greet", {}, true);
      message.text("keep");
      peer.send(message.finish());
    }
  });
  sending.join();
  std::vector<Handler> handlers;
  for (std::uint32_t id = 1; id <= count; ++id) handlers.push_back(servant->kept.take());
  const std::string text(size, 'x');
  std::thread answering([&] {
    for (const Handler& handler : handlers) handler->greet(text);
  });
  EXPECT_EQ(desk->greet("other"), "hello, other");
  std::uint32_t whole = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    if (peer.receive_message().size() > size) ++whole;
  EXPECT_EQ(whole, count);
  answering.join();
}

// Peers that cancel, close and send rubbish at random moments, while threads answer, drop and refuse.
TEST_P(LateEnds, SurviveAStormOfPeers) {
  constexpr unsigned seed = 20261127;
  constexpr int peers = 40, answering_threads = 3;
  std::atomic<bool> over{false};
  std::vector<std::thread> answering;
  for (unsigned i = 0; i < answering_threads; ++i)
    answering.emplace_back([&, i] {
      std::mt19937 random(seed + i);
      while (!over) {
        Handler handler = servant->kept.try_take();
        if (!handler) {
          std::this_thread::yield();
          continue;
        }
        switch (random() % 4) {
          case 0:
            handler->greet(std::string(random() % 20'000, 'x'));
            break;
          case 1:
            handler->greet_excep(std::make_exception_ptr(Late::NoRoom(1)));
            break;
          case 2:
            handler->greet("once");
            EXPECT_THROW(handler->greet("twice"), CORBA::BAD_INV_ORDER);
            break;
          default:
            break;  // dropped
        }
      }
    });
  std::vector<std::thread> sending;
  for (unsigned i = 0; i < 4; ++i)
    sending.emplace_back([&, i] {
      std::mt19937 random(seed * 7 + i);
      for (int peer = 0; peer < peers; ++peer) {
        RawPeer raw(*place);
        const auto minor = static_cast<std::uint8_t>(random() % 3);
        const std::uint32_t count = 1 + random() % 20;
        for (std::uint32_t id = 1; id <= count; ++id) {
          if (!raw.send(minor == 2 ? request(id, place->key, "greet", "keep")
                                   : early_request(minor, id, place->key, "greet", "keep")))
            break;
          if (minor == 2 && random() % 3 == 0) raw.send(MessageOctets(2).u32(id).finish());
          if (random() % 40 == 0) raw.send(Octets(30, 0xff));
        }
        if (random() % 2 == 0) continue;  // closes without reading
        for (std::uint32_t i_read = random() % (count + 1); i_read > 0; --i_read)
          if (raw.receive_message().size() < 12) break;
      }
    });
  for (auto& thread : sending) thread.join();
  // While the queue of a pool is full, requests are refused.
  const auto greeted = [this](const std::string& name) {
    for (;;) try {
        return desk->greet(name) == "hello, " + name;
      } catch (const CORBA::TRANSIENT&) {
      }
  };
  EXPECT_TRUE(greeted("still here"));
  over = true;
  for (auto& thread : answering) thread.join();
  while (servant->kept.try_take()) {
  }
  EXPECT_TRUE(greeted("and well"));
}

TEST_P(LateEnds, OfASerialAdapterLetItGoOn) {
  const auto poa = orbs->make_poa(
      {orbs->root->create_thread_policy(PortableServer::ThreadPolicyValue::SINGLE_THREAD_MODEL)});
  const auto serial = CORBA::make_reference<LaterDesk>();
  const auto there = orbs->publish<Late::Desk>(serial, poa);
  std::thread calling([&] { EXPECT_EQ(there->greet("keep"), "at last"); });
  const Handler handler = serial->kept.take();
  EXPECT_EQ(there->greet("meanwhile"), "hello, meanwhile");
  handler->greet("at last");
  calling.join();
}

TEST_P(LateEnds, ReachCallersInTheServersProcess) {
  const auto here = IDL::traits<Late::Desk>::narrow(orbs->root->servant_to_reference(servant));
  if (std::string_view(GetParam()) == "reactive")
    GTEST_SKIP() << "its only thread would wait for itself if it called";
  EXPECT_EQ(here->greet("collocated"), "hello, collocated");
  std::thread answering([this] { servant->kept.take()->greet("kept"); });
  EXPECT_EQ(here->greet("keep"), "kept");
  answering.join();
  EXPECT_THROW(here->greet("drop"), CORBA::NO_RESPONSE);
}

INSTANTIATE_TEST_SUITE_P(Each, LateEnds,
                         testing::Values("thread-per-connection", "reactive", "leader-followers",
                                         "worker-pool"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace late
