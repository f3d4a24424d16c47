// Long results are sent without copying, and callers may hold them where they arrive.
#include <deque>
#include <mutex>

#include <takt/adapter/borrow_result.h>

#include "recorder.h"
#include "served.h"

namespace feature {
namespace {

using CameraRef = IDL::traits<Buffers::Camera>::ref_type;

class Camera final : public virtual CORBA::servant_traits<Buffers::Camera>::base_type {
 public:
  takt::HeldOctets grab(std::uint8_t first, std::uint32_t size) override {
    takt::OctetBuffer pixels = takt::borrow_result(size);
    std::ranges::copy(numbered(size, first), pixels.begin());
    return pixels;
  }
  Buffers::Octets copied(std::uint8_t first, std::uint32_t size) override { return numbered(size, first); }
  void keep(std::uint8_t first, std::uint32_t size) override {
    kept_ = std::make_shared<const std::vector<std::uint8_t>>(numbered(size, first));
  }
  takt::HeldOctets kept() override {
    struct Kept final : takt::OctetLender {
      explicit Kept(std::shared_ptr<const std::vector<std::uint8_t>> octets) : held(std::move(octets)) {}
      void give_back(const std::uint8_t*, std::uint32_t) noexcept override {}
      const std::shared_ptr<const std::vector<std::uint8_t>> held;
    };
    auto lender = std::make_shared<Kept>(kept_);
    return {*kept_, std::move(lender), 0};
  }

 private:
  std::shared_ptr<const std::vector<std::uint8_t>> kept_;
};

template <class Servant>
CameraRef serve(const Served& served, const Orb& caller) {
  const auto id = served.root->activate_object(CORBA::make_reference<Servant>());
  return IDL::traits<Buffers::Camera>::narrow(
      caller->string_to_object(served.server->object_to_string(served.root->id_to_reference(id))));
}

class LongResults : public testing::TestWithParam<OctetsOver> {
 protected:
  const Served served{GetParam().endpoint,
                      {"-ORBServerConcurrency", GetParam().concurrency},
                      {"-ORBClientConnections", GetParam().connections, "-ORBLentMemory", "4MiB",
                       "-ORBMaxMessageSize", "64MiB"}};
  const CameraRef camera = serve<Camera>(served, served.client);
};

constexpr std::uint32_t sizes[] = {0, 1, 5'000, 8'191, 8'192, 30'000, 40'000, 1'000'000, 5'000'000, 7};

TEST_P(LongResults, ArriveAsTheyAre) {
  const auto plain = takt::reference::make_stub<Buffers::Plain>(camera->_ref());
  for (const std::uint32_t size : sizes)
    for (std::uint8_t first = 0; first < 2; ++first) {
      EXPECT_TRUE(std::ranges::equal(camera->grab(first, size), numbered(size, first))) << size;
      EXPECT_EQ(camera->copied(first, size), numbered(size, first)) << size;
      EXPECT_EQ(plain->grab(first, size), numbered(size, first)) << size;
    }
}

// More than the available memory to borrow, so that some results are sent another way.
TEST_P(LongResults, ThatAreHeldStayAsTheyAre) {
  std::deque<takt::HeldOctets> held;
  for (std::uint8_t number = 0; number < 90; ++number)
    held.push_back(camera->grab(number, number % 8 ? 20'000 : 1'000'000));
  EXPECT_TRUE(are_numbered(held, 0));
  for (std::uint8_t number = 0; const takt::HeldOctets& octets : held) {
    EXPECT_EQ(octets.size(), number % 8 ? 20'000u : 1'000'000u);
    ++number;
  }
}

TEST_P(LongResults, OfTheServantsOwnAreNotUsedUp) {
  camera->keep(3, 500'000);
  for (int round = 0; round < 3; ++round)
    EXPECT_TRUE(std::ranges::equal(camera->kept(), numbered(500'000, 3)));
}

TEST_P(LongResults, ComeToManyThreadsAtOnce) {
  std::vector<std::jthread> callers;
  for (std::uint8_t number = 0; number < 4; ++number)
    callers.emplace_back([&, number] {
      for (int round = 0; round < 10; ++round)
        EXPECT_TRUE(std::ranges::equal(camera->grab(number, 300'000), numbered(300'000, number)));
    });
}

INSTANTIATE_TEST_SUITE_P(OverMemory, LongResults, testing::ValuesIn(over_memory),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(
    OverSockets, LongResults,
    testing::Values(OctetsOver{"unix", "unix:", "worker-pool", "exclusive"},
                    OctetsOver{"tcp", "iiop://127.0.0.1:0", "thread-per-connection", "exclusive"},
                    OctetsOver{"tcp_reactive", "iiop://127.0.0.1:0", "reactive", "multiplexed"},
                    OctetsOver{"udp", "udp://127.0.0.1:0", "leader-followers", "exclusive"}),
    [](const auto& given) { return given.param.name; });

// A camera that detects whether its caller reads the memory to which it writes.
class Changing final : public virtual CORBA::servant_traits<Buffers::Camera>::base_type {
 public:
  takt::HeldOctets grab(std::uint8_t first, std::uint32_t size) override {
    takt::OctetBuffer pixels = takt::borrow_result(size);
    std::ranges::copy(numbered(size, first), pixels.begin());
    where_ = pixels.octets();
    return pixels;
  }
  Buffers::Octets copied(std::uint8_t, std::uint32_t) override { return {}; }
  takt::HeldOctets kept() override { return {}; }
  void keep(std::uint8_t value, std::uint32_t at) override { where_[at] = value; }

 private:
  std::span<std::uint8_t> where_;
};

TEST(HeldResult, IsReadWhereTheServantWroteIt) {
  for (const char* connections : {"exclusive", "cached"})
    for (const char* concurrency : {"thread-per-connection", "reactive", "worker-pool"})
      for (const std::uint32_t size : {8'192u, 30'000u, 100'000u, 5'000'000u}) {
        const Served served("shm:", {"-ORBServerConcurrency", concurrency},
                            {"-ORBClientConnections", connections, "-ORBMaxMessageSize", "64MiB"});
        const auto camera = serve<Changing>(served, served.client);
        const auto held = camera->grab(5, size);
        ASSERT_EQ(held.size(), size);
        camera->keep(77, 3);  // held, so it may be changed, and no other result is placed there
        EXPECT_EQ(held[3], 77) << connections << ", " << concurrency << ", " << size;
      }
}

TEST(HeldResult, TakesNoMoreOfTheServersMemoryThanTheServerSays) {
  struct Given {
    const char* most;
    std::uint32_t size;
    bool in_place;
  };
  for (const Given& given : {Given{"0", 50'000, false},
                             {"64KiB", 50'000, true},
                             {"64KiB", 100'000, false},
                             {"16MiB", 100'000, true}}) {
    const Served served("shm:", {"-ORBLentMemory", given.most}, {"-ORBLentMemory", "1GiB"});
    const auto camera = serve<Changing>(served, served.client);
    const auto held = camera->grab(5, given.size);
    EXPECT_TRUE(std::ranges::equal(held, numbered(given.size, 5)));
    camera->keep(77, 3);
    EXPECT_EQ(held[3] == 77, given.in_place) << given.most << ", " << given.size;
  }
}

TEST(HeldResult, IsGivenBackWithItsHolder) {
  const Served served("shm:", {}, {"-ORBLentMemory", "1MiB"});
  const auto camera = serve<Changing>(served, served.client);
  for (int round = 0; round < 50; ++round) {  // each needs more than half of the memory
    const auto held = camera->grab(5, 700'000);
    camera->keep(77, 3);
    EXPECT_EQ(held[3], 77);
  }
}

TEST(HeldResult, OutlivesOrbs) {
  takt::HeldOctets held;
  {
    const Served served("shm:");
    held = serve<Camera>(served, served.client)->grab(5, 100'000);
  }
  EXPECT_TRUE(std::ranges::equal(held, numbered(100'000, 5)));
}

TEST(HeldResult, OfALocalObjectIsTheServants) {
  const Served served("shm:");
  const auto camera = serve<Camera>(served, served.server);
  EXPECT_TRUE(std::ranges::equal(camera->grab(5, 100'000), numbered(100'000, 5)));
  camera->keep(1, 50'000);
  EXPECT_EQ(camera->kept().data(), camera->kept().data());
}

}  // namespace
}  // namespace feature
