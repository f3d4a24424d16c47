// Loading IDL: all of it or nothing, and never twice in two forms.
#include <gtest/gtest.h>

#include <sqlite3.h>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "served.h"

namespace feature {
namespace {

std::string refusal(const std::function<void()>& load) {
  try {
    load();
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return "nothing";
}

TEST(IfrLoad, KeepsWhatIsThere) {
  const Folder folder;
  const auto first = loaded(folder / "ifr.db", TAKT_ZOO), second = loaded(folder / "ifr.db", TAKT_ZOO);
  EXPECT_GT(first.added, 50u);
  EXPECT_EQ(first.kept, 0u);
  EXPECT_EQ(second.added, 0u);
  EXPECT_EQ(count_in(folder / "ifr.db"), first.added);
}

TEST(IfrLoad, CompletesWhatWasOnlyDeclared) {
  const Folder folder;
  loaded_text(folder, "module M { interface Later; interface I { Later find(); }; };");
  const auto counts = loaded_text(folder, "module M { interface Later { void now(); }; };");
  EXPECT_EQ(counts.added, 1u);
  EXPECT_EQ(counts.completed, 1u);
  IfrServer server(folder / "ifr.db");
  EXPECT_EQ(server.find<R::InterfaceDef>("M::Later")->describe_interface().operations().size(), 1u);
  EXPECT_EQ(loaded_text(folder, "module M { interface Later; interface I { Later find(); }; };").added, 0u);
}

TEST(IfrLoad, AValueMayHaveAMemberThatDerivesFromIt) {
  const Folder folder;
  loaded_text(folder, R"(module M {
    valuetype Node; valuetype Component { public Node parent; public string name; };
    valuetype Node : Component { public long x; };
    interface I { Component whole(); Node part(); };
  };)");
  IfrServer server(folder / "ifr.db");
  const auto operations = server.find<R::InterfaceDef>("M::I")->describe_interface().operations();
  ASSERT_EQ(operations.size(), 2u);
  const auto component = operations[0].result(), node = operations[1].result();
  EXPECT_TRUE(component->member_type(0)->equivalent(node));
  EXPECT_TRUE(node->concrete_base_type()->equivalent(component));
}

// The alias is the outermost type, and its struct has it as a member.
TEST(IfrLoad, AnAliasMayBeInWhatItIsAnAliasOf) {
  const Folder folder;
  loaded_text(folder, R"(module M {
    struct S; typedef sequence<S> A; typedef A B; struct S { A first; B second; long x; };
    union U; typedef sequence<U> Us; union U switch (long) { case 1: Us all; };
    valuetype V; typedef sequence<V> Vs; valuetype V { public Vs all; };
    struct T; valuetype Box sequence<T>; struct T { Box boxed; };
  };)");
  IfrServer server(folder / "ifr.db");
  for (const char* name : {"M::A", "M::B", "M::S", "M::Us", "M::U", "M::Vs", "M::V", "M::Box", "M::T"}) {
    const auto type = IDL::traits<R::IDLType>::narrow(server.repository->lookup(name))->type();
    EXPECT_TRUE(type->equal(type)) << name;
    EXPECT_EQ(server.find<R::Contained>(name)->describe().kind(),
              server.find<R::Contained>(name)->def_kind());
  }
  const auto of_alias = server.find<R::AliasDef>("M::A")->type();
  const auto first = of_alias->content_type()->content_type()->member_type(0);
  EXPECT_EQ(first->kind(), CORBA::TCKind::tk_alias);
  EXPECT_EQ(first->id(), "IDL:M/A:1.0");
  EXPECT_EQ(first->content_type()->content_type()->member_count(), 3u);
}

TEST(IfrLoad, AServerSeesNewDefinitionsAtOnce) {
  const Folder folder;
  IfrServer server(folder / "ifr.db");
  EXPECT_FALSE(server.repository->lookup("M"));
  loaded_text(folder, "module M { interface I {}; };");
  EXPECT_EQ(server.find<R::InterfaceDef>("M::I")->id(), "IDL:M/I:1.0");
}

TEST(IfrLoad, RefusesAnotherFormAndChangesNothing) {
  const Folder folder;
  const std::string before =
      "module M { struct S { long a; }; interface I { void f(); void g(); }; enum E { a, b }; };";
  loaded_text(folder, before);
  const auto count = count_in(folder / "ifr.db");
  const auto refused = [&](const std::string& idl, const std::string& why) {
    const std::string text = refusal([&] { loaded_text(folder, idl); });
    EXPECT_NE(text.find(why), std::string::npos) << text;
    EXPECT_NE(text.find("text.idl:1:"), std::string::npos) << text;
    EXPECT_EQ(count_in(folder / "ifr.db"), count);
  };
  refused("module N { struct New {}; }; module M { struct S { short a; }; };",
          "error: IDL:M/S:1.0 is in the repository as a struct 'S' that differs from this one");
  refused("module M { exception S {}; };",
          "is in the repository as a struct 'S' that differs from this definition");
  refused("module M { interface I { void f(); }; };",
          "IDL:M/I:1.0 has definitions in the repository that are not here");
  refused("module M { interface I { void f(); void g(); void h(); }; };",
          "IDL:M/I/h:1.0 is not in the repository");
  refused("module M { enum E { b, a }; };", "IDL:M/E:1.0");
  refused("module M { struct s { long a; }; };", "'s' is in the repository's same scope as IDL:M/S:1.0");
}

TEST(IfrLoad, NamesWhatHasNoForm) {
  const Folder folder;
  const auto why = [&](const std::string& idl) { return refusal([&] { loaded_text(folder, idl); }); };
  EXPECT_NE(why("struct S { map<long, string> m; };").find("has no maps"), std::string::npos);
  EXPECT_NE(why("struct S { @optional long m; };").find("has no optional members"), std::string::npos);
  EXPECT_NE(why("component C {};").find("has no components"), std::string::npos);
  EXPECT_NE(why("struct S; typedef sequence<S> T;").find("declared forward but never defined"),
            std::string::npos);
  EXPECT_NE(why("struct S { unknown m; };").find("text.idl:1:"), std::string::npos);
  EXPECT_EQ(count_in(folder / "ifr.db"), 0u);
}

TEST(IfrLoad, TakesTypesOfModuleCorba) {
  const Folder folder;
  loaded_text(folder, "interface I { attribute CORBA::RepositoryId id; CORBA::Policy policy(); };");
  IfrServer server(folder / "ifr.db");
  EXPECT_EQ(server.find<R::AttributeDef>("I::id")->type()->id(), "IDL:omg.org/CORBA/RepositoryId:1.0");
  EXPECT_EQ(server.find<R::ModuleDef>("CORBA")->id(), "IDL:omg.org/CORBA:1.0");
}

TEST(IfrLoad, OpensModulesAgainUnderOtherPrefixes) {
  const Folder folder;
  loaded_text(folder, "#pragma prefix \"a.org\"\nmodule M { interface A {}; };");
  loaded_text(folder, "#pragma prefix \"b.org\"\nmodule M { interface B {}; };");
  IfrServer server(folder / "ifr.db");
  EXPECT_EQ(server.find<R::InterfaceDef>("M::A")->id(), "IDL:a.org/M/A:1.0");
  EXPECT_EQ(server.find<R::InterfaceDef>("M::B")->id(), "IDL:b.org/M/B:1.0");
}

TEST(IfrLoad, NoLookUpReadsRowAfterRow) {
  using takt::ifr::Store;
  auto store = Store::open("");
  Store::Transaction transaction(*store, Store::Access::change);
  for (int i = 0; i < 5000; ++i) {
    takt::ifr::Definition definition;
    definition.kind = Kind::dk_Native;
    definition.number = store->next_number();
    definition.container = i % 50;
    definition.name = "N" + std::to_string(i);
    definition.id = "IDL:" + definition.name + ":1.0";
    if (i % 2) definition.details.bases({definition.number - 1});
    store->insert(definition);
  }
  EXPECT_EQ(store->find_id("IDL:N4321:1.0")->name, "N4321");
  EXPECT_EQ(store->find_name(21, "n4321")->id, "IDL:N4321:1.0");
  EXPECT_EQ(store->contents(21, 1000).size(), 100u);
  EXPECT_EQ(store->named("N77", 10).size(), 1u);
  EXPECT_EQ(store->users(1, 10).size(), 1u);
  store->update(*store->find(4322), *store->find(4322));
  store->remove(*store->find(4322));
  EXPECT_EQ(store->rows_scanned(), 0u);
}

TEST(IfrLoad, RefusesOtherFiles) {
  const Folder folder;
  std::ofstream(folder / "text.db")
      << "no database, but long enough to be one, if one looks at its size alone";
  EXPECT_NE(refusal([&] { loaded(folder / "text.db", TAKT_ZOO); }).find("text.db: "), std::string::npos);
  sqlite3* other = nullptr;
  sqlite3_open((folder / "other.db").c_str(), &other);
  sqlite3_exec(other, "CREATE TABLE t (x)", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_NE(refusal([&] { loaded(folder / "other.db", TAKT_ZOO); }).find("not an interface repository"),
            std::string::npos);
  EXPECT_NE(refusal([&] { loaded("/nowhere/ifr.db", TAKT_ZOO); }).find("/nowhere/ifr.db: "),
            std::string::npos);
}

TEST(IfrLoad, ReadersDoNotWaitForAnotherProcessThatChangesTheStore) {
  const Folder folder;
  IfrServer server(folder / "ifr.db");
  server.repository->create_module("IDL:M:1.0", "M", "1.0");
  auto other = takt::ifr::Store::open(folder / "ifr.db");
  auto change = std::make_unique<takt::ifr::Store::Transaction>(*other, takt::ifr::Store::Access::change);
  std::atomic<bool> created = false;
  std::jthread writer([&] {
    server.repository->create_module("IDL:N:1.0", "N", "1.0");
    created = true;
  });
  for (int i = 0; i < 500; ++i) EXPECT_TRUE(server.repository->lookup("M"));
  EXPECT_FALSE(created) << "the other process has not ended its change";
  change.reset();
  writer.join();
  EXPECT_TRUE(server.repository->lookup("N"));
}

TEST(IfrLoad, DamagedRowsAreReported) {
  const Folder folder;
  loaded(folder / "ifr.db", TAKT_ZOO);
  sqlite3* store = nullptr;
  sqlite3_open((folder / "ifr.db").c_str(), &store);
  sqlite3_exec(store,
               "UPDATE definition SET details = x'00ff' WHERE name = 'Node';"
               "UPDATE definition SET kind = 99 WHERE name = 'Bespoke';"
               "DELETE FROM definition WHERE name = 'Colour'",
               nullptr, nullptr, nullptr);
  sqlite3_close(store);
  IfrServer server(folder / "ifr.db");
  EXPECT_EQ(exception_of([&] { server.repository->lookup_id("IDL:Zoo/Bespoke:1.0"); }), "PERSIST_STORE 0");
  EXPECT_EQ(exception_of([&] { server.find<R::UnionDef>("Zoo::ByColour")->type(); }), "PERSIST_STORE 0");
  const auto node = server.repository->lookup_id("IDL:Zoo/Node:1.0");
  EXPECT_EQ(exception_of([&] { node->describe(); }), "PERSIST_STORE 0");
  EXPECT_EQ(server.find<R::InterfaceDef>("Zoo::Later")->name(), "Later") << "the rest is served";
}

}  // namespace
}  // namespace feature
