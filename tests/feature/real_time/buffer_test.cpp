// Thread pools that buffer requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>

#include "probe_servant.h"
#include "raw_peer.h"

namespace real_time {
namespace {

using namespace std::chrono_literals;

// look() blocks until the gate is opened.
class Gate final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  RtTest::Seen look() override {
    std::unique_lock lock(mutex_);
    ++inside_;
    changed_.notify_all();
    changed_.wait_for(lock, 20s, [&] { return open_; });
    return {};
  }
  RtTest::Seen look_through(ProbeRef) override { return {}; }
  bool meet(std::uint32_t number) override {
    std::lock_guard lock(mutex_);
    met_.push_back(number);
    return true;
  }
  std::vector<std::uint32_t> met() {
    std::lock_guard lock(mutex_);
    return met_;
  }

  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  bool entered_by(int callers) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 10s, [&] { return inside_ >= callers; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint32_t> met_;
  int inside_ = 0;
  bool open_ = false;
};

struct Buffered {
  Buffered(std::uint32_t threads, std::uint32_t requests, std::uint32_t octets,
           std::vector<std::string> client_options = {})
      : orbs(std::move(client_options)),
        probe(IDL::traits<RtTest::Probe>::narrow(orbs.to_client(make_reference(threads, requests, octets)))) {
  }
  ~Buffered() { gate->open(); }

  CORBA::object_reference<CORBA::Object> make_reference(std::uint32_t threads, std::uint32_t requests,
                                                        std::uint32_t octets) {
    const auto pool = orbs.rt->create_threadpool(0, threads, 0, 1, true, requests, octets);
    const auto poa = orbs.make_poa({orbs.rt->create_threadpool_policy(pool)});
    return poa->id_to_reference(poa->activate_object(gate));
  }
  std::future<bool> call() {
    return std::async(std::launch::async, [this] {
      try {
        probe->look();
        return true;
      } catch (const CORBA::TRANSIENT& refused) {
        EXPECT_EQ(refused.completed(), CORBA::COMPLETED_NO);
        return false;
      }
    });
  }

  TwoOrbs orbs;
  CORBA::servant_reference<Gate> gate = CORBA::make_reference<Gate>();
  ProbeRef probe;
};

TEST(Buffer, RequestsWaitUpToTheBoundAndTheNextIsRefusedAtOnce) {
  Buffered with(1, 2, 0);
  auto served = with.call();
  ASSERT_TRUE(with.gate->entered_by(1));
  std::vector<std::future<bool>> calls;
  for (int i = 0; i < 5; ++i) calls.push_back(with.call());
  int refused = 0;  // while the gate is closed
  for (int i = 0; i < 500 && refused < 3; ++i) {
    std::this_thread::sleep_for(10ms);
    refused = static_cast<int>(std::ranges::count_if(
        calls, [](auto& call) { return call.wait_for(0s) == std::future_status::ready; }));
  }
  EXPECT_EQ(refused, 3);
  with.gate->open();
  int answered = served.get() ? 1 : 0;
  for (auto& call : calls) answered += call.get() ? 1 : 0;
  EXPECT_EQ(answered, 3);
}

TEST(Buffer, OctetsAreABoundToo) {
  Buffered with(1, 0, 1);  // no request is that small
  auto served = with.call();
  ASSERT_TRUE(with.gate->entered_by(1));
  EXPECT_FALSE(with.call().get());
  with.gate->open();
  EXPECT_TRUE(served.get());
}

// All requests of a lane have one priority.
TEST(Buffer, TheMoreImportantLeavesALanesBufferFirst) {
  Buffered with(1, 10, 0);
  const auto object = with.make_reference(1, 10, 0);
  const feature::Place place(with.orbs.server->object_to_string(object));
  feature::RawPeer peer(place.port);
  const auto send = [&](std::uint8_t number, std::uint8_t importance) {
    feature::Octets quality(24, 0xff);
    quality[0] = 1;
    std::ranges::fill(quality.begin() + 1, quality.begin() + 2, 0);
    std::ranges::fill(quality.begin() + 4, quality.begin() + 16, 0);
    quality[4] = importance;
    auto request = feature::request(number, place.key, "meet", {{0x54414b03, quality}}, true);
    EXPECT_TRUE(peer.send(request.raw({number, 0, 0, 0}).finish()));
  };
  ASSERT_TRUE(peer.send(feature::request(0, place.key, "look").finish()));
  ASSERT_TRUE(with.gate->entered_by(1));
  send(1, 0);
  send(2, 7);
  send(3, 9);
  send(4, 7);
  // The reader answers a LocateRequest itself after it has read the earlier requests.
  ASSERT_TRUE(peer.send(feature::MessageOctets(3).u32(99).u32(0).sequence(place.key).finish()));
  EXPECT_EQ(feature::type_of(peer.receive_message()), 4);
  with.gate->open();
  for (int replies = 0; replies < 5; ++replies) EXPECT_EQ(feature::type_of(peer.receive_message()), 1);
  EXPECT_EQ(with.gate->met(), (std::vector<std::uint32_t>{3, 2, 4, 1}));
}

TEST(Buffer, RequestsOfOneConnectionAreServedAtOnce) {
  Buffered with(3, 10, 0, {"-ORBClientConnections", "multiplexed"});
  std::vector<std::future<bool>> calls;
  for (int i = 0; i < 3; ++i) calls.push_back(with.call());
  EXPECT_TRUE(with.gate->entered_by(3));
  with.gate->open();
  for (auto& call : calls) EXPECT_TRUE(call.get());
}

}  // namespace
}  // namespace real_time
