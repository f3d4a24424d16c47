// Compiled and interpreted operations of one interface behave alike, remotely and in one process.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "mixedS.h"
#include "orbs.h"

namespace feature {
namespace {

using PairsRef = IDL::traits<Mixed::Pairs>::ref_type;

class Servant final : public virtual CORBA::servant_traits<Mixed::Pairs>::base_type {
 public:
#define BOTH(KIND)                                                                                    \
  std::int32_t sum_##KIND(const Mixed::Record& r, std::string& text, Mixed::Records& all,             \
                          std::int32_t times) override {                                              \
    return sum(r, text, all, times);                                                                  \
  }                                                                                                   \
  CORBA::Any echo_##KIND(const CORBA::Any& value) override { return value; }                          \
  Mixed::Records pass_##KIND(const Mixed::Records& all) override { return takt::take_argument(all); } \
  void none_##KIND() override {}                                                                      \
  void note_##KIND(std::int32_t n) override { noted_ = n; }                                           \
  PairsRef self_##KIND(PairsRef other) override { return other; }                                     \
  std::int32_t scoped_##KIND(std::int32_t n) override { return n + 1; }                               \
  void fail_##KIND() override { throw Mixed::Unlisted(); }                                            \
  std::int32_t level_##KIND() override { return level_; }                                             \
  void level_##KIND(std::int32_t level) override { level_ = level; }
  BOTH(c)
  BOTH(i)
#undef BOTH
  std::int32_t noted() override { return noted_; }

 private:
  static std::int32_t sum(const Mixed::Record& r, std::string& text, Mixed::Records& all,
                          std::int32_t times) {
    if (times < 0) throw Mixed::Refused("fewer than none", times);
    if (times > 1000) throw CORBA::BAD_PARAM(7, CORBA::COMPLETED_YES);
    text += " again";
    all.assign(static_cast<std::size_t>(times), r);
    return r.l() * times;
  }
  std::atomic<std::int32_t> noted_{0};
  std::int32_t level_ = 0;
};

class Chosen final : public virtual CORBA::servant_traits<Mixed::Chosen>::base_type {
  std::int32_t one(std::int32_t n) override { return n + 1; }
  std::int32_t two(std::int32_t n) override { return n + 2; }
};

// The stubs of one kind.
struct Stubs {
  std::int32_t (Mixed::Pairs::*sum)(const Mixed::Record&, std::string&, Mixed::Records&, std::int32_t);
  CORBA::Any (Mixed::Pairs::*echo)(const CORBA::Any&);
  Mixed::Records (Mixed::Pairs::*pass)(const Mixed::Records&);
  void (Mixed::Pairs::*none)();
  void (Mixed::Pairs::*note)(std::int32_t);
  PairsRef (Mixed::Pairs::*self)(PairsRef);
  std::int32_t (Mixed::Pairs::*scoped)(std::int32_t);
  void (Mixed::Pairs::*fail)();
  std::int32_t (Mixed::Pairs::*level)();
  void (Mixed::Pairs::*set_level)(std::int32_t);
};
#define STUBS(KIND)                                                                            \
  Stubs {                                                                                      \
    &Mixed::Pairs::sum_##KIND, &Mixed::Pairs::echo_##KIND, &Mixed::Pairs::pass_##KIND,         \
        &Mixed::Pairs::none_##KIND, &Mixed::Pairs::note_##KIND, &Mixed::Pairs::self_##KIND,    \
        &Mixed::Pairs::scoped_##KIND, &Mixed::Pairs::fail_##KIND, &Mixed::Pairs::level_##KIND, \
        &Mixed::Pairs::level_##KIND                                                            \
  }

// The first part of a name says which stubs, the second where the servant is.
struct MixedCalls : testing::TestWithParam<std::string> {
  ServerAndClient orbs;
  PairsRef remote = orbs.publish<Mixed::Pairs>(CORBA::make_reference<Servant>());
  PairsRef target() const {
    if (GetParam().ends_with("_remote")) return remote;
    return IDL::traits<Mixed::Pairs>::narrow(
        orbs.server->string_to_object(orbs.client->object_to_string(remote)));
  }
  Stubs stubs() const { return GetParam().starts_with("compiled") ? STUBS(c) : STUBS(i); }
};
INSTANTIATE_TEST_SUITE_P(Each, MixedCalls,
                         testing::Values("compiled_remote", "interpreted_remote", "compiled_local",
                                         "interpreted_local"),
                         [](const auto& info) { return info.param; });

TEST_P(MixedCalls, PassArgumentsEachWay) {
  const auto pairs = target();
  const Mixed::Record record{1, 'c', 7, 3, 4.5};
  std::string text = "once";
  Mixed::Records all{record};
  EXPECT_EQ(((*pairs).*stubs().sum)(record, text, all, 3), 21);
  EXPECT_EQ(text, "once again");
  EXPECT_EQ(all, Mixed::Records(3, record));
  EXPECT_EQ(((*pairs).*stubs().pass)(Mixed::Records(2000, record)), Mixed::Records(2000, record));
  CORBA::Any any;
  any <<= record;
  EXPECT_EQ(((*pairs).*stubs().echo)(any), any);
  EXPECT_NO_THROW(((*pairs).*stubs().none)());
  EXPECT_EQ(((*pairs).*stubs().scoped)(4), 5);
  EXPECT_TRUE(((*pairs).*stubs().self)(pairs)->_is_equivalent(pairs));
  EXPECT_FALSE(((*pairs).*stubs().self)(nullptr));
}

TEST_P(MixedCalls, ReachAttributesAndOneways) {
  const auto pairs = target();
  ((*pairs).*stubs().set_level)(9);
  EXPECT_EQ(((*pairs).*stubs().level)(), 9);
  ((*pairs).*stubs().note)(17);
  for (int tries = 0; pairs->noted() != 17 && tries < 10000; ++tries) std::this_thread::yield();
  EXPECT_EQ(pairs->noted(), 17);
}

TEST_P(MixedCalls, ThrowWhatTheServantThrows) {
  const auto pairs = target();
  std::string text;
  Mixed::Records all;
  try {
    ((*pairs).*stubs().sum)({}, text, all, -3);
    FAIL() << "nothing was thrown";
  } catch (const Mixed::Refused& refused) {
    EXPECT_EQ(refused.why(), "fewer than none");
    EXPECT_EQ(refused.code(), -3);
  }
  try {
    ((*pairs).*stubs().sum)({}, text, all, 1001);
    FAIL() << "nothing was thrown";
  } catch (const CORBA::BAD_PARAM& failure) {
    EXPECT_EQ(failure.minor(), 7u);
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_YES);
  }
  EXPECT_THROW(((*pairs).*stubs().fail)(), CORBA::UNKNOWN);
  EXPECT_NO_THROW(((*pairs).*stubs().none)());  // the connection is usable
}

TEST(ChosenCalls, AnInterfaceChoosesForItsOperations) {
  ServerAndClient both;
  const auto chosen = both.publish<Mixed::Chosen>(CORBA::make_reference<Chosen>());
  EXPECT_EQ(chosen->one(1), 2);
  EXPECT_EQ(chosen->two(1), 3);
}

}  // namespace
}  // namespace feature
