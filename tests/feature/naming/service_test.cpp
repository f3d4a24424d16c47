// State that the service keeps across a restart, and requests that it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "../folder.h"
#include "../kept_port.h"
#include "served.h"

namespace feature {
namespace {

using testing::HasSubstr;

TEST(NamingService, ReferencesOutliveTheProcess) {
  const Folder folder;
  const KeptPort port;
  const takt::naming::NamingService::Options options{.store = folder / "names.db"};
  std::string sub, root;
  {
    NamingServer server(options, std::to_string(port.port()));
    const auto context = server.root->bind_new_context(name("sub"));
    context->bind(name("x.k"), server.object("x"));
    server.root->bind(name("gone"), server.object("gone"));
    server.root->unbind(name("gone"));
    server.root->rebind(name("y"), server.object("1"));
    server.root->rebind(name("y"), server.object("2"));
    sub = server.client().object_to_string(context);
    root = server.client().object_to_string(server.root);
  }
  NamingServer server(options, std::to_string(port.port()));
  EXPECT_EQ(server.service->bindings(), 3u);
  EXPECT_TRUE(server.leads_to("sub/x.k", "x"));
  EXPECT_TRUE(server.leads_to("y", "2"));
  EXPECT_EQ(exception_of([&] { server.root->resolve(name("gone")); }), "NotFound missing_node gone");
  const auto kept = IDL::traits<NamingContext>::narrow(server.client().string_to_object(sub));
  EXPECT_TRUE(kept->resolve(name("x.k"))->_is_equivalent(server.object("x")));
  EXPECT_TRUE(IDL::traits<NamingContext>::narrow(server.client().string_to_object(root))->resolve(name("y")));
  // By the forms of addresses that users write.
  const std::string at = "127.0.0.1:" + std::to_string(port.port());
  EXPECT_TRUE(
      server.client().string_to_object("corbaname::" + at + "#sub/x.k")->_is_equivalent(server.object("x")));
  EXPECT_TRUE(IDL::traits<NamingContextExt>::narrow(
      server.client().string_to_object("corbaloc::" + at + "/NameService")));
}

// The ORB's own client of naming services is written by hand; the stubs of CosNaming.idl say what it must
// read.
TEST(NamingService, CorbanameSaysWhatIsMissing) {
  const KeptPort port;
  NamingServer server({}, std::to_string(port.port()));
  server.root->bind_new_context(name("sub"));
  server.root->bind(name("x.k"), server.object("x"));
  const auto error_of = [&](const std::string& path) -> std::string {
    try {
      server.client().string_to_object("corbaname::127.0.0.1:" + std::to_string(port.port()) + "#" + path);
    } catch (const CORBA::BAD_PARAM& error) {
      EXPECT_EQ(error.minor(), CORBA::omg_minor(10));
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of("sub/a.b/c"),
              HasSubstr("the name 'sub/a.b/c' cannot be resolved: 'a.b' is not there"));
  EXPECT_THAT(error_of("x.k/c"), HasSubstr("'x.k' is an object, where a context should be"));
  EXPECT_TRUE(
      server.client().string_to_object("corbaname::127.0.0.1:" + std::to_string(port.port()) + "#sub"));
}

// A destroyed context's reference never leads to another context, even after a restart.
TEST(NamingService, DestroyedContextsDoNotComeBack) {
  const Folder folder;
  const KeptPort port;
  const takt::naming::NamingService::Options options{.store = folder / "names.db"};
  std::string gone;
  {
    NamingServer server(options, std::to_string(port.port()));
    const auto context = server.root->new_context();
    gone = server.client().object_to_string(context);
    context->destroy();
  }
  NamingServer server(options, std::to_string(port.port()));
  server.root->bind_new_context(name("a"));
  const auto context = IDL::traits<NamingContext>::unchecked_narrow(server.client().string_to_object(gone));
  EXPECT_EQ(exception_of([&] { context->resolve(name("x")); }), "OBJECT_NOT_EXIST");
}

TEST(NamingService, HostileNamesMeetLimits) {
  NamingServer server({.store = {},
                       .limits = {.component_bytes = 100,
                                  .components = 8,
                                  .reference_bytes = 400,
                                  .bindings = 10,
                                  .contexts = 5,
                                  .listed = 3,
                                  .iterators = 2}});
  const auto object = server.object("x");
  const auto thrown = [&](const std::string& text) {
    return exception_of([&] { server.root->bind(name(text), object); });
  };
  EXPECT_EQ(thrown(std::string(101, 'a')), "InvalidName");
  EXPECT_EQ(thrown(std::string(60, 'a') + "." + std::string(41, 'b')), "InvalidName");
  EXPECT_EQ(thrown("a/b/c/d/e/f/g/h/i"), "InvalidName");
  EXPECT_EQ(exception_of([&] { server.root->resolve_str(std::string(1'000'000, '/')); }), "InvalidName");
  EXPECT_EQ(exception_of([&] { server.root->bind(name("x"), server.object(std::string(400, 'k'))); }),
            "IMP_LIMIT");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(thrown(std::to_string(i)), "nothing");
  EXPECT_EQ(thrown("one more"), "IMP_LIMIT");
  for (int i = 0; i < 4; ++i) server.root->new_context();
  EXPECT_EQ(exception_of([&] { server.root->new_context(); }), "IMP_LIMIT");
  EXPECT_EQ(server.service->contexts(), 5u);
  CosNaming::BindingList list;
  CORBA::object_reference<CosNaming::BindingIterator> iterators[5];
  for (auto& each : iterators) server.root->list(1000, list, each);
  EXPECT_EQ(list.size(), 3u) << "of a reply";
  EXPECT_EQ(server.service->iterators(), 2u);
  EXPECT_EQ(exception_of([&] { iterators[0]->next_n(1, list); }), "OBJECT_NOT_EXIST");
  EXPECT_TRUE(iterators[4]->next_n(1000, list));
  EXPECT_EQ(list.size(), 3u);
}

// Readers always see a name as bound while it is rebound.
TEST(NamingService, ResolvesWhileNamesChange) {
  const Folder folder;
  NamingServer server({.store = folder / "names.db"});
  server.root->bind(name("x"), server.object("0"));
  std::atomic<bool> over{false};
  std::atomic<int> resolved{0}, failed{0};
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 3; ++i)
      readers.emplace_back([&] {
        while (!over)
          ++(exception_of([&] { server.root->resolve(name("x")); }) == "nothing" ? resolved : failed);
      });
    for (int i = 0; i < 100; ++i) server.root->rebind(name("x"), server.object(std::to_string(i)));
    over = true;
  }
  EXPECT_EQ(failed, 0);
  EXPECT_GT(resolved, 0);
  EXPECT_TRUE(server.leads_to("x", "99"));
}

TEST(NamingService, ASecondProcessDoesNotTakeTheStore) {
  const Folder folder;
  NamingServer first({.store = folder / "names.db"});
  EXPECT_THROW(NamingServer second({.store = folder / "names.db"}), std::runtime_error);
}

}  // namespace
}  // namespace feature
