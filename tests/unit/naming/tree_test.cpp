#include "naming/model/tree.h"

#include <gtest/gtest.h>

namespace takt::naming {
namespace {

using Action = Change::Action;

Binding bound_object(const std::string& reference) {
  return {.kind = BindingKind::object, .reference = reference};
}
Binding bound_context(ContextId id) { return {.kind = BindingKind::context, .context = id}; }

struct TreeTest : testing::Test {
  std::optional<Refusal> refusal(Change change) const { return tree.refusal_of(change, limits); }
  Change at_root(Action action, const std::string& key, Binding binding = {}) const {
    return {.action = action, .context = root_context, .key = key, .binding = std::move(binding)};
  }
  Limits limits{.bindings = 3, .contexts = 3};
  Tree tree;
};

TEST_F(TreeTest, BindsFindsAndUnbinds) {
  tree.apply(at_root(Action::bind, "a", bound_object("A")));
  ASSERT_NE(tree.find(root_context, "a"), nullptr);
  EXPECT_EQ(*tree.find(root_context, "a"), bound_object("A"));
  EXPECT_EQ(tree.find(root_context, "b"), nullptr);
  EXPECT_EQ(tree.find(17, "a"), nullptr);
  EXPECT_EQ(tree.bindings(), 1u);
  tree.apply(at_root(Action::rebind, "a", bound_object("B")));
  EXPECT_EQ(*tree.find(root_context, "a"), bound_object("B"));
  EXPECT_EQ(tree.bindings(), 1u);
  tree.apply(at_root(Action::unbind, "a"));
  EXPECT_EQ(tree.find(root_context, "a"), nullptr);
  EXPECT_EQ(tree.bindings(), 0u);
}

TEST_F(TreeTest, RefusesAsTheStandardSays) {
  tree.apply(at_root(Action::bind, "object", bound_object("A")));
  Change sub = at_root(Action::bind, "context", bound_context(tree.new_id()));
  sub.creates = true;
  tree.apply(sub);
  const Binding foreign{.kind = BindingKind::foreign_context, .reference = "F"};
  EXPECT_EQ(refusal(at_root(Action::bind, "object", bound_object("B"))), Refusal::already_bound);
  EXPECT_EQ(refusal(at_root(Action::bind, "context", bound_context(9))), Refusal::already_bound);
  EXPECT_EQ(refusal(at_root(Action::rebind, "context", bound_object("B"))), Refusal::not_object);
  EXPECT_EQ(refusal(at_root(Action::rebind, "object", bound_context(9))), Refusal::not_context);
  EXPECT_EQ(refusal(at_root(Action::rebind, "object", foreign)), Refusal::not_context);
  EXPECT_EQ(refusal(at_root(Action::rebind, "context", foreign)), std::nullopt);
  EXPECT_EQ(refusal(at_root(Action::rebind, "new", bound_object("B"))), std::nullopt);
  EXPECT_EQ(refusal(at_root(Action::unbind, "new")), Refusal::missing_node);
  EXPECT_EQ(refusal(at_root(Action::unbind, "context")), std::nullopt);
  EXPECT_EQ(refusal({.action = Action::unbind, .context = 99, .key = "a"}), Refusal::no_context);
  EXPECT_EQ(refusal({.action = Action::destroy, .context = 99}), Refusal::no_context);
  EXPECT_EQ(refusal({.action = Action::destroy, .context = root_context}), Refusal::is_root);
  const ContextId made = tree.find(root_context, "context")->context;
  EXPECT_EQ(refusal({.action = Action::destroy, .context = made}), std::nullopt);
  tree.apply({.action = Action::bind, .context = made, .key = "x", .binding = bound_object("X")});
  EXPECT_EQ(refusal({.action = Action::destroy, .context = made}), Refusal::not_empty);
}

TEST_F(TreeTest, LimitsHoldForWhatIsNew) {
  for (const char* key : {"a", "b", "c"}) tree.apply(at_root(Action::bind, key, bound_object("A")));
  EXPECT_EQ(refusal(at_root(Action::bind, "d", bound_object("A"))), Refusal::too_many_bindings);
  EXPECT_EQ(refusal(at_root(Action::rebind, "d", bound_object("A"))), Refusal::too_many_bindings);
  EXPECT_EQ(refusal(at_root(Action::rebind, "a", bound_object("B"))), std::nullopt);
  EXPECT_EQ(tree.refusal_of(at_root(Action::bind, "d", bound_object("A")), {.bindings = 4}, {.bindings = 1}),
            Refusal::too_many_bindings);
  for (int i = 0; i < 2; ++i) tree.apply({.action = Action::create, .context = tree.new_id()});
  EXPECT_EQ(tree.contexts(), 3u);
  EXPECT_EQ(refusal({.action = Action::create}), Refusal::too_many_contexts);
}

TEST_F(TreeTest, NamesAndReferencesAreLimitedTogether) {
  const Limits ten{.total_bytes = 10};
  const auto refused = [&](Action action, const std::string& key, std::size_t octets, Additions more = {}) {
    return tree.refusal_of(at_root(action, key, bound_object(std::string(octets, 'R'))), ten, more);
  };
  ASSERT_TRUE(tree.add_read(root_context, "a", bound_object("1234")));  // 5
  EXPECT_EQ(refused(Action::bind, "b", 4), std::nullopt);
  EXPECT_EQ(refused(Action::bind, "b", 5), Refusal::too_many_bytes);
  EXPECT_EQ(refused(Action::bind, "b", 4, {.bytes = 1}), Refusal::too_many_bytes);
  EXPECT_EQ(refused(Action::rebind, "a", 9), std::nullopt) << "the old ones go";
  EXPECT_EQ(refused(Action::rebind, "a", 10), Refusal::too_many_bytes);
  tree.apply(at_root(Action::rebind, "a", bound_object(std::string(9, 'R'))));
  EXPECT_EQ(refused(Action::rebind, "a", 9), std::nullopt);
  EXPECT_EQ(refused(Action::bind, "b", 0), Refusal::too_many_bytes);
  tree.apply(at_root(Action::unbind, "a"));
  EXPECT_EQ(refused(Action::bind, "b", 9), std::nullopt);
}

TEST_F(TreeTest, IdsAreNotGivenAgain) {
  const ContextId first = tree.new_id();
  tree.apply({.action = Action::create, .context = first});
  tree.apply({.action = Action::destroy, .context = first});
  EXPECT_EQ(tree.context(first), nullptr);
  EXPECT_GT(tree.new_id(), first);
  tree.skip_ids(100);
  EXPECT_EQ(tree.new_id(), 101u);
}

}  // namespace
}  // namespace takt::naming
