// The bindings of a thread for each kind of its calls.
#include "client/binding_sets.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>

namespace takt::client {
namespace {

TEST(BindingSets, TheSetBeforeIsUsedAgain) {
  BindingSets sets;
  const Bindings* const usual = &sets.current();
  sets.use(1);
  const Bindings* const first = &sets.current();
  EXPECT_NE(first, usual);
  sets.use(2);
  sets.use(1);
  EXPECT_EQ(&sets.current(), first);
  sets.use(BindingSets::usual);
  EXPECT_EQ(&sets.current(), usual);
  EXPECT_EQ(sets.size(), 2u);
}

TEST(BindingSets, PriorityQualityAndItsMarkingMakeAKind) {
  std::set<BindingSets::Kind> kinds;
  const std::optional<giop::Priority> priorities[] = {std::nullopt, 0, 32767};
  for (const auto& priority : priorities)
    for (const bool has_quality : {false, true})
      for (const std::uint8_t row : {std::uint8_t{0}, std::uint8_t{15}})
        for (const BindingSets::Kind strategy : {BindingSets::Kind{0}, BindingSets::asynchronous})
          kinds.insert(BindingSets::kind_of(priority, has_quality, row) | strategy);
  EXPECT_EQ(kinds.size(), 24u);
}

TEST(BindingSets, WhileItIsWithheldASetIsNotInUse) {
  BindingSets sets;
  sets.use(1);
  const Bindings* const first = &sets.current();
  sets.withhold();
  EXPECT_NE(&sets.current(), first);
  sets.release();
  EXPECT_EQ(&sets.current(), first);
}

// The oldest set serves the new kind, although it was in use last.
TEST(BindingSets, ASetThatIsForgottenServesOneKindOnly) {
  BindingSets sets;
  for (BindingSets::Kind kind = 1; kind <= BindingSets::most; ++kind) sets.use(kind);
  sets.use(1);
  const Bindings* const oldest = &sets.current();
  sets.use(1000);
  EXPECT_EQ(&sets.current(), oldest);
  EXPECT_EQ(sets.size(), BindingSets::most);
  sets.use(1);
  EXPECT_NE(&sets.current(), oldest);
}

}  // namespace
}  // namespace takt::client
