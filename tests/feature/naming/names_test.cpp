// CosNaming over the wire, by the rules of the standard (Naming Service 1.3).
#include <gtest/gtest.h>

#include "served.h"

namespace feature {
namespace {

struct Naming : testing::Test {
  Naming() {
    root().bind_new_context(name("sub"));
    root().bind_new_context(name("sub/deep.k"));
    root().bind(name("sub/object"), server.object("object"));
  }
  NamingContextExt& root() { return *server.root; }
  std::string thrown(const std::function<void(NamingContextExt&)>& call) {
    return exception_of([&] { call(root()); });
  }
  ObjectRef any_object() { return server.object("any"); }
  ContextRef any_context() { return root().new_context(); }
  NamingServer server;
};

TEST_F(Naming, BindsAndResolves) {
  root().bind(name("sub/deep.k/x"), server.object("x"));
  EXPECT_TRUE(server.leads_to("sub/deep.k/x", "x"));
  const auto deep = IDL::traits<NamingContext>::narrow(root().resolve(name("sub/deep.k")));
  ASSERT_TRUE(deep);
  EXPECT_TRUE(deep->resolve(name("x"))->_is_equivalent(server.object("x")));
  EXPECT_TRUE(IDL::traits<NamingContextExt>::narrow(deep)) << "each context is a NamingContextExt";
}

TEST_F(Naming, IdAndKindBothCount) {
  root().bind(name("a"), server.object("1"));
  root().bind(name("a.a"), server.object("2"));
  root().bind(name(".a"), server.object("3"));
  root().bind(name("."), server.object("4"));
  EXPECT_TRUE(server.leads_to("a", "1") && server.leads_to("a.a", "2") && server.leads_to(".a", "3") &&
              server.leads_to(".", "4"));
  EXPECT_EQ(thrown([](auto& root) { root.resolve(name("A")); }), "NotFound missing_node A");
}

TEST_F(Naming, NotFoundSaysWhyAndWhatIsLeft) {
  EXPECT_EQ(thrown([](auto& root) { root.resolve(name("sub/nope")); }), "NotFound missing_node nope");
  EXPECT_EQ(thrown([](auto& root) { root.resolve(name("sub/nope/a/b.c")); }),
            "NotFound missing_node nope/a/b.c");
  EXPECT_EQ(thrown([](auto& root) { root.resolve(name("sub/object/a")); }), "NotFound not_context object/a");
  EXPECT_EQ(thrown([](auto& root) { root.unbind(name("sub/nope")); }), "NotFound missing_node nope");
  EXPECT_EQ(thrown([](auto& root) { root.unbind(name("nope/a")); }), "NotFound missing_node nope/a");
  EXPECT_EQ(thrown([&](auto& root) { root.bind(name("nope/a"), any_object()); }),
            "NotFound missing_node nope/a");
  EXPECT_EQ(thrown([&](auto& root) { root.bind(name("sub/object/a"), any_object()); }),
            "NotFound not_context object/a");
  EXPECT_EQ(thrown([&](auto& root) { root.rebind(name("nope/a"), any_object()); }),
            "NotFound missing_node nope/a");
  EXPECT_EQ(thrown([&](auto& root) { root.bind_context(name("nope/a"), any_context()); }),
            "NotFound missing_node nope/a");
  EXPECT_EQ(thrown([](auto& root) { root.bind_new_context(name("sub/object/a")); }),
            "NotFound not_context object/a");
}

TEST_F(Naming, AlreadyBoundWhateverIsThere) {
  for (const char* text : {"sub", "sub/object", "sub/deep.k"}) {
    EXPECT_EQ(thrown([&](auto& root) { root.bind(name(text), any_object()); }), "AlreadyBound") << text;
    EXPECT_EQ(thrown([&](auto& root) { root.bind_context(name(text), any_context()); }), "AlreadyBound")
        << text;
    EXPECT_EQ(thrown([&](auto& root) { root.bind_new_context(name(text)); }), "AlreadyBound") << text;
  }
}

TEST_F(Naming, RebindReplacesItsOwnKind) {
  root().rebind(name("sub/object"), server.object("other"));
  EXPECT_TRUE(server.leads_to("sub/object", "other"));
  root().rebind(name("sub/new"), server.object("new"));
  EXPECT_TRUE(server.leads_to("sub/new", "new"));
  EXPECT_EQ(thrown([&](auto& root) { root.rebind(name("sub/deep.k"), any_object()); }),
            "NotFound not_object deep.k");
  EXPECT_EQ(thrown([&](auto& root) { root.rebind_context(name("sub/object"), any_context()); }),
            "NotFound not_context object");
  const auto other = root().new_context();
  other->bind(name("x"), server.object("x"));
  root().rebind_context(name("sub/deep.k"), other);
  EXPECT_TRUE(server.leads_to("sub/deep.k/x", "x"));
  root().rebind_context(name("sub/fresh"), other);
  EXPECT_TRUE(server.leads_to("sub/fresh/x", "x"));
}

TEST_F(Naming, UnbindLeavesTheContextThere) {
  const auto deep = IDL::traits<NamingContext>::narrow(root().resolve(name("sub/deep.k")));
  root().unbind(name("sub/deep.k"));
  EXPECT_EQ(thrown([](auto& root) { root.resolve(name("sub/deep.k")); }), "NotFound missing_node deep.k");
  deep->bind(name("x"), any_object());
  EXPECT_FALSE(deep->_non_existent());
}

TEST_F(Naming, DestroyedContextsAreGone) {
  const auto deep = IDL::traits<NamingContext>::narrow(root().resolve(name("sub/deep.k")));
  deep->bind(name("x"), any_object());
  EXPECT_EQ(exception_of([&] { deep->destroy(); }), "NotEmpty");
  deep->unbind(name("x"));
  deep->destroy();
  EXPECT_EQ(exception_of([&] { deep->resolve(name("x")); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(exception_of([&] { deep->bind(name("x"), any_object()); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(exception_of([&] { deep->destroy(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(exception_of([&] { deep->new_context(); }), "OBJECT_NOT_EXIST");
  EXPECT_TRUE(deep->_non_existent());
  // The context is still bound, and the name does not lead beyond it.
  EXPECT_TRUE(root().resolve(name("sub/deep.k")));
  EXPECT_EQ(thrown([](auto& root) { root.resolve(name("sub/deep.k/x/y")); }), "CannotProceed x/y");
  EXPECT_EQ(thrown([](auto& root) { root.destroy(); }), "NO_PERMISSION");
}

TEST_F(Naming, NamesThatAreNone) {
  const CosNaming::Name empty;
  EXPECT_EQ(thrown([&](auto& root) { root.resolve(empty); }), "InvalidName");
  EXPECT_EQ(thrown([&](auto& root) { root.bind(empty, any_object()); }), "InvalidName");
  EXPECT_EQ(thrown([&](auto& root) { root.rebind(empty, any_object()); }), "InvalidName");
  EXPECT_EQ(thrown([&](auto& root) { root.bind_context(empty, any_context()); }), "InvalidName");
  EXPECT_EQ(thrown([&](auto& root) { root.rebind_context(empty, any_context()); }), "InvalidName");
  EXPECT_EQ(thrown([&](auto& root) { root.bind_new_context(empty); }), "InvalidName");
  EXPECT_EQ(thrown([&](auto& root) { root.unbind(empty); }), "InvalidName");
  EXPECT_EQ(thrown([&](auto& root) { root.to_string(empty); }), "InvalidName");
}

TEST_F(Naming, NilIsNotBound) {
  EXPECT_EQ(thrown([](auto& root) { root.bind(name("nil"), nullptr); }), "BAD_PARAM");
  EXPECT_EQ(thrown([](auto& root) { root.rebind(name("nil"), nullptr); }), "BAD_PARAM");
  EXPECT_EQ(thrown([](auto& root) { root.bind_context(name("nil"), nullptr); }), "BAD_PARAM");
  EXPECT_EQ(thrown([](auto& root) { root.resolve(name("nil")); }), "NotFound missing_node nil");
}

TEST_F(Naming, Texts) {
  EXPECT_EQ(root().to_string(name("a\\.b.k/c")), "a\\.b.k/c");
  EXPECT_EQ(root().to_name("a\\.b.k/c"), name("a\\.b.k/c"));
  EXPECT_EQ(root().to_url(":host", "a b"), "corbaname::host#a%20b");
  EXPECT_TRUE(root().resolve_str("sub/object")->_is_equivalent(server.object("object")));
  EXPECT_EQ(thrown([](auto& root) { root.to_name("a//b"); }), "InvalidName");
  EXPECT_EQ(thrown([](auto& root) { root.to_url("", "a"); }), "InvalidAddress");
  EXPECT_EQ(thrown([](auto& root) { root.to_url(":host", ""); }), "InvalidName");
  EXPECT_EQ(thrown([](auto& root) { root.resolve_str("sub/nope"); }), "NotFound missing_node nope");
  EXPECT_EQ(thrown([](auto& root) { root.resolve_str("."); }), "NotFound missing_node .");
  EXPECT_EQ(thrown([](auto& root) { root.resolve_str(""); }), "InvalidName");
}

// A context may have several names, also in itself.
TEST_F(Naming, ContextsInCircles) {
  const auto sub = IDL::traits<NamingContext>::narrow(root().resolve(name("sub")));
  sub->bind_context(name("up"), server.root);
  sub->bind_context(name("self"), sub);
  EXPECT_TRUE(server.leads_to("sub/up/sub/self/self/object", "object"));
}

std::string listed(const CosNaming::BindingList& list) {
  std::string all;
  for (const CosNaming::Binding& each : list)
    all += (all.empty() ? "" : " ") + takt::naming::text_of(each.binding_name()) +
           (each.binding_type() == CosNaming::BindingType::ncontext ? "/" : "");
  return all;
}

TEST_F(Naming, Lists) {
  for (const char* each : {"a", "b", "c"}) root().bind(name(std::string("sub/") + each), any_object());
  const auto sub = IDL::traits<NamingContext>::narrow(root().resolve(name("sub")));
  CosNaming::BindingList list;
  CORBA::object_reference<CosNaming::BindingIterator> iterator;
  sub->list(100, list, iterator);
  EXPECT_EQ(listed(list), "a b c deep.k/ object");
  EXPECT_FALSE(iterator);
  sub->list(2, list, iterator);
  EXPECT_EQ(listed(list), "a b");
  ASSERT_TRUE(iterator);
  CosNaming::Binding one;
  EXPECT_TRUE(iterator->next_one(one));
  EXPECT_EQ(listed({one}), "c");
  EXPECT_EQ(exception_of([&] { iterator->next_n(0, list); }), "BAD_PARAM");
  EXPECT_TRUE(iterator->next_n(100, list));
  EXPECT_EQ(listed(list), "deep.k/ object");
  EXPECT_FALSE(iterator->next_n(100, list));
  EXPECT_TRUE(list.empty());
  EXPECT_FALSE(iterator->next_one(one));
  iterator->destroy();
  EXPECT_EQ(exception_of([&] { iterator->next_one(one); }), "OBJECT_NOT_EXIST");
  sub->list(0, list, iterator);
  EXPECT_TRUE(list.empty());
  ASSERT_TRUE(iterator) << "how_many is 0: the iterator has them all";
  EXPECT_TRUE(iterator->next_n(100, list));
  EXPECT_EQ(list.size(), 5u);
  any_context()->list(0, list, iterator);
  EXPECT_FALSE(iterator) << "there is nothing";
}

}  // namespace
}  // namespace feature
