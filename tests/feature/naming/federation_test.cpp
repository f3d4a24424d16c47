// Names that lead through contexts of several services.
#include <gtest/gtest.h>

#include "served.h"

namespace feature {
namespace {

using namespace std::chrono_literals;

struct NamingFederation : testing::Test {
  NamingFederation() {
    far.root->bind_new_context(name("sub"));
    far.root->bind(name("sub/x"), far.object("x"));
    near.root->bind_context(name("far"), far.root);
  }
  NamingServer far, near{{.store = {}, .limits = {.federated_calls = 2, .federated_timeout = 300ms}}};
};

TEST_F(NamingFederation, EveryOperationGoesThere) {
  EXPECT_TRUE(near.leads_to("far/sub/x", "x"));
  near.root->bind(name("far/sub/y"), near.object("y"));
  EXPECT_TRUE(far.leads_to("sub/y", "y"));
  near.root->rebind(name("far/sub/y"), near.object("z"));
  EXPECT_TRUE(far.leads_to("sub/y", "z"));
  const auto made = near.root->bind_new_context(name("far/sub/new"));
  made->bind(name("w"), near.object("w"));
  EXPECT_TRUE(near.leads_to("far/sub/new/w", "w"));
  const auto other = near.root->new_context();
  other->bind(name("v"), near.object("v"));
  near.root->bind_context(name("far/sub/back"), other);
  EXPECT_TRUE(near.leads_to("far/sub/back/v", "v")) << "there and back";
  near.root->rebind_context(name("far/sub/back"), made);
  EXPECT_TRUE(near.leads_to("far/sub/back/w", "w"));
  near.root->unbind(name("far/sub/y"));
  EXPECT_EQ(exception_of([&] { far.root->resolve(name("sub/y")); }), "NotFound missing_node y");
}

TEST_F(NamingFederation, ExceptionsComeBackAsTheyAre) {
  EXPECT_EQ(exception_of([&] { near.root->resolve(name("far/sub/nope/a")); }),
            "NotFound missing_node nope/a");
  EXPECT_EQ(exception_of([&] { near.root->bind(name("far/sub/x"), near.object("x")); }), "AlreadyBound");
  EXPECT_EQ(exception_of([&] { near.root->rebind(name("far/sub"), near.object("x")); }),
            "NotFound not_object sub");
}

// The binding itself belongs to the near service.
TEST_F(NamingFederation, ABoundContextIsResolvedAndUnboundHere) {
  EXPECT_TRUE(near.root->resolve(name("far"))->_is_equivalent(far.root));
  EXPECT_EQ(exception_of([&] { near.root->rebind(name("far"), near.object("x")); }),
            "NotFound not_object far");
  near.root->unbind(name("far"));
  EXPECT_EQ(exception_of([&] { near.root->resolve(name("far/sub/x")); }), "NotFound missing_node far/sub/x");
  EXPECT_TRUE(far.leads_to("sub/x", "x"));
}

TEST_F(NamingFederation, AServiceThatIsNotThereCannotProceed) {
  const auto nobody = IDL::traits<NamingContext>::unchecked_narrow(near.object("NameService"));
  near.root->bind_context(name("nobody"), nobody);
  for (const char* text : {"nobody/a/b", "nobody/a"})
    EXPECT_EQ(exception_of([&] { near.root->resolve(name(text)); }).substr(0, 15), "CannotProceed a") << text;
  try {
    near.root->resolve(name("nobody/a/b"));
    FAIL();
  } catch (const NamingContext::CannotProceed& failure) {
    EXPECT_TRUE(failure.cxt()->_is_equivalent(nobody));
    EXPECT_EQ(failure.rest_of_name(), name("a/b"));
  }
  EXPECT_EQ(exception_of([&] { near.root->bind(name("nobody/a"), near.object("a")); }), "CannotProceed a");
  EXPECT_EQ(exception_of([&] { near.root->unbind(name("nobody/a")); }), "CannotProceed a");
}

}  // namespace
}  // namespace feature
