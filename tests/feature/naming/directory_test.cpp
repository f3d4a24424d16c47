// The limits of what tools list of a naming service, whatever that answers.
#include "name/directory.h"

#include <gtest/gtest.h>

#include "process.h"
#include "served.h"

namespace feature {
namespace {

using takt::command::Directory;

struct Directories : testing::Test {
  Directories() {
    for (const char* each : {"a", "b", "c"}) near.root->bind(name(each), near.object(each));
    near.root->bind_new_context(name("sub"));
    near.root->bind(name("sub/d"), near.object("d"));
  }
  NamingServer near;
};

TEST_F(Directories, ListAllThatFits) {
  Directory all(near.client(), {.entries = 5});
  EXPECT_EQ(all.tree(near.root).size(), 5u);
  EXPECT_FALSE(all.cut());
}

TEST_F(Directories, SayThatThereAreMoreEntries) {
  Directory some(near.client(), {.entries = 4});
  EXPECT_EQ(some.tree(near.root).size(), 4u);
  EXPECT_TRUE(some.cut());
  Directory few(near.client(), {.entries = 3});
  EXPECT_EQ(few.list(near.root, false).size(), 3u);
  EXPECT_TRUE(few.cut());
}

TEST_F(Directories, SayThatEntriesAreTooLong) {
  Directory short_ones(near.client(), {.octets = 1000});
  const std::size_t listed = short_ones.tree(near.root).size();
  EXPECT_GT(listed, 0u);
  EXPECT_LT(listed, 4u);
  EXPECT_TRUE(short_ones.cut());
}

// Lists bindings without names, and has more of them for ever.
class Endless : public virtual CORBA::servant_traits<NamingContext>::base_type {
 public:
  class Iterator : public virtual CORBA::servant_traits<CosNaming::BindingIterator>::base_type {
   public:
    bool next_one(CosNaming::Binding&) override { return true; }
    bool next_n(std::uint32_t, CosNaming::BindingList& list) override {
      list.resize(1'000);
      return true;
    }
    void destroy() override {}
  };

  explicit Endless(Poa poa) : poa_(std::move(poa)) {}
  void list(std::uint32_t, CosNaming::BindingList& list,
            CORBA::object_reference<CosNaming::BindingIterator>& iterator) override {
    list.resize(10);
    iterator = IDL::traits<CosNaming::BindingIterator>::narrow(
        poa_->id_to_reference(poa_->activate_object(CORBA::make_reference<Iterator>())));
  }
  void bind(const CosNaming::Name&, ObjectRef) override {}
  void rebind(const CosNaming::Name&, ObjectRef) override {}
  void bind_context(const CosNaming::Name&, ContextRef) override {}
  void rebind_context(const CosNaming::Name&, ContextRef) override {}
  ObjectRef resolve(const CosNaming::Name&) override { return {}; }
  void unbind(const CosNaming::Name&) override {}
  ContextRef new_context() override { return {}; }
  ContextRef bind_new_context(const CosNaming::Name&) override { return {}; }
  void destroy() override {}

 private:
  const Poa poa_;
};

// Lists a binding whose object does not answer before those without names.
class EndlessBehindOne final : public Endless {
 public:
  using Endless::Endless;
  void list(std::uint32_t count, CosNaming::BindingList& list,
            CORBA::object_reference<CosNaming::BindingIterator>& iterator) override {
    Endless::list(count, list, iterator);
    list.front().binding_name(name("silent"));
  }
};

TEST(EndlessContexts, AreListedToTheLimit) {
  OrbPair orbs;
  const auto context = orbs.publish<NamingContext>(CORBA::make_reference<Endless>(orbs.root));
  Directory directory(*orbs.client, {.entries = 1000});
  EXPECT_TRUE(directory.list(context, false).empty());
  EXPECT_TRUE(directory.cut());
}

// Also if an object does not answer.
TEST(EndlessContexts, AreSaidToHaveMoreByTheCommand) {
  OrbPair orbs;
  const auto context = orbs.publish<NamingContext>(CORBA::make_reference<EndlessBehindOne>(orbs.root));
  const std::string reference = orbs.server->object_to_string(context);
  for (const std::string how : {"list --live", "tree --live"}) {
    Process process("/bin/sh", {"-c", "\"$0\" name " + how + " --service \"$1\" 2>&1; echo status $?",
                                TAKT_COMMAND, reference});
    const std::string listed = process.line(), said = process.line(), status = process.line();
    EXPECT_TRUE(listed.starts_with("silent  [no answer")) << listed;
    EXPECT_NE(said.find("has more bindings than this command lists"), std::string::npos) << said;
    EXPECT_EQ(status, "status 1") << how;
  }
}

}  // namespace
}  // namespace feature
