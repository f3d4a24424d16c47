// Types without a name: changed through their objects, for all that use them.
#include <gtest/gtest.h>

#include <sqlite3.h>
#include <cstdint>
#include <vector>

#include "ifr/store/details_octets.h"
#include "served.h"
#include "sqlite/handles.h"
#include "sqlite/queries.h"

namespace feature {
namespace {

class IfrUnnamed : public testing::Test {
 protected:
  IfrUnnamed()
      : server_(folder_ / "ifr.db"), module_(server_.repository->create_module("IDL:M:1.0", "M", "1.0")) {}

  Ref<R::AliasDef> alias(const std::string& name, const Ref<R::IDLType>& type) {
    return module_->create_alias("IDL:M/" + name + ":1.0", name, "1.0", type);
  }
  Ref<R::StructDef> a_struct(const std::string& name, const Ref<R::IDLType>& member) {
    return module_->create_struct("IDL:M/" + name + ":1.0", name, "1.0", {{"m", {}, member}});
  }
  Ref<R::SequenceDef> sequence(std::uint32_t bound, const Ref<R::IDLType>& element) {
    return server_.repository->create_sequence(bound, element);
  }

  const Folder folder_;
  IfrServer server_;
  const Ref<R::ModuleDef> module_;
};

TEST_F(IfrUnnamed, AChangeReachesAllUsers) {
  const auto longs = sequence(5, server_.a_long());
  const auto rows = server_.repository->create_array(2, longs);
  const auto of_alias = alias("Rows", rows);
  const auto of_struct = a_struct("S", of_alias);
  longs->bound(7);
  EXPECT_EQ(of_alias->type()->content_type()->content_type()->length(), 7u);
  EXPECT_EQ(of_struct->type()->member_type(0)->content_type()->content_type()->length(), 7u);
  rows->length(3);
  EXPECT_EQ(of_alias->type()->content_type()->length(), 3u);
  const auto brief = server_.repository->create_string(4);
  longs->element_type_def(brief);
  EXPECT_EQ(longs->element_type()->length(), 4u);
  brief->bound(9);
  EXPECT_EQ(of_alias->type()->content_type()->content_type()->content_type()->length(), 9u);
  EXPECT_TRUE(of_alias->original_type_def()->_is_equivalent(rows));
  EXPECT_TRUE(rows->element_type_def()->_is_equivalent(longs));
  const auto wide = server_.repository->create_wstring(1);
  wide->bound(2);
  EXPECT_EQ(wide->type()->length(), 2u);
  const auto money = server_.repository->create_fixed(5, 2);
  money->digits(9);
  money->scale(4);
  EXPECT_EQ(money->type()->fixed_digits(), 9);
  EXPECT_EQ(money->type()->fixed_scale(), 4);
}

TEST_F(IfrUnnamed, APartOfALoadedDefinitionChanges) {
  loaded(folder_ / "ifr.db", TAKT_ZOO);
  const auto longs = server_.find<R::AliasDef>("Zoo::Longs");
  const auto inside = IDL::traits<R::SequenceDef>::narrow(longs->original_type_def());
  inside->bound(6);
  EXPECT_EQ(longs->type()->content_type()->length(), 6u);
  inside->element_type_def(server_.repository->create_string(8));
  EXPECT_EQ(longs->type()->content_type()->content_type()->length(), 8u);
  EXPECT_EQ(inside->bound(), 6u);
  // The second dimension of an array, and a member of a struct.
  const auto names = server_.find<R::AliasDef>("Zoo::Names");
  const auto outer = IDL::traits<R::ArrayDef>::narrow(names->original_type_def());
  const auto inner = IDL::traits<R::ArrayDef>::narrow(outer->element_type_def());
  inner->length(9);
  EXPECT_EQ(names->type()->content_type()->content_type()->length(), 9u);
  EXPECT_EQ(outer->length(), 3u);
  const auto node = server_.find<R::StructDef>("Zoo::Node");
  const auto children = IDL::traits<R::SequenceDef>::narrow(node->members()[1].type_def());
  children->bound(2);
  EXPECT_EQ(node->type()->member_type(1)->length(), 2u);
  EXPECT_EQ(exception_of([&] { inside->destroy(); }), "BAD_INV_ORDER 1");
  // As an argument it is copied.
  const auto copy = alias("Copy", inner);
  inner->length(10);
  EXPECT_EQ(copy->type()->content_type()->length(), 9u);
}

TEST_F(IfrUnnamed, ADefinitionOfTheSameTypesIsLoadedAsTheSame) {
  const auto longs = sequence(5, server_.a_long());
  alias("Longs", longs);
  const char* idl = "module M { typedef sequence<long, 5> Longs; };";
  EXPECT_EQ(loaded_text(folder_, idl).added, 0u);
  longs->bound(6);
  EXPECT_THROW(loaded_text(folder_, idl), std::runtime_error);
}

TEST_F(IfrUnnamed, RefusesWhatNoTypeIs) {
  const auto longs = sequence(0, server_.a_long());
  EXPECT_EQ(exception_of([&] { longs->element_type_def(server_.primitive(R::PrimitiveKind::pk_void)); }),
            "BAD_TYPECODE 2");
  EXPECT_EQ(exception_of([&] { longs->element_type_def({}); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { longs->element_type_def(longs); }), "BAD_TYPECODE 2")
      << "it would contain itself";
  const auto outer = sequence(0, longs);
  EXPECT_EQ(exception_of([&] { longs->element_type_def(outer); }), "BAD_TYPECODE 2");
  EXPECT_EQ(exception_of([&] { server_.repository->create_array(1, outer)->length(0); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { server_.repository->create_string(1)->bound(0); }), "BAD_PARAM 0");
  const auto money = server_.repository->create_fixed(5, 2);
  for (const std::uint16_t digits : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{32}})
    EXPECT_EQ(exception_of([&] { money->digits(digits); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { money->scale(6); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { money->scale(-1); }), "BAD_PARAM 0");
  EXPECT_EQ(longs->type()->content_type()->kind(), CORBA::TCKind::tk_long) << "nothing has changed";
}

TEST_F(IfrUnnamed, UsersKeepTheirRules) {
  // A struct may contain itself in a sequence, but not in the array that the sequence's element becomes.
  const auto node = a_struct("Node", server_.a_long());
  const auto list = sequence(0, node);
  node->members({{"m", {}, server_.repository->create_array(2, list)}});
  const auto array = IDL::traits<R::ArrayDef>::narrow(node->members()[0].type_def());
  EXPECT_EQ(exception_of([&] { array->element_type_def(node); }), "BAD_TYPECODE 2");
  EXPECT_EQ(node->type()->member_type(0)->content_type()->kind(), CORBA::TCKind::tk_sequence);
  Ref<R::IDLType> deep = server_.a_long();
  for (int i = 0; i < 60; ++i) deep = sequence(0, deep);
  const auto middle = sequence(0, server_.a_long());
  Ref<R::IDLType> above = middle;
  for (int i = 0; i < 10; ++i) above = sequence(0, above);
  EXPECT_EQ(exception_of([&] { middle->element_type_def(deep); }), "IMP_LIMIT 0");
  EXPECT_EQ(middle->element_type()->kind(), CORBA::TCKind::tk_long);
}

TEST_F(IfrUnnamed, EndsWithItsLastUser) {
  const auto free = sequence(0, server_.a_long());
  free->destroy();
  EXPECT_TRUE(free->_non_existent());
  EXPECT_EQ(exception_of([&] { free->bound(); }), "OBJECT_NOT_EXIST 0");
  const auto used = sequence(0, server_.a_long()), outer = sequence(0, used);
  const auto of_alias = alias("A", outer);
  EXPECT_EQ(exception_of([&] { used->destroy(); }), "BAD_INV_ORDER 1");
  EXPECT_EQ(exception_of([&] { outer->destroy(); }), "BAD_INV_ORDER 1");
  const auto second = alias("B", outer);
  of_alias->destroy();
  EXPECT_FALSE(outer->_non_existent()) << "B uses it";
  second->original_type_def(server_.a_long());
  EXPECT_TRUE(outer->_non_existent());
  EXPECT_TRUE(used->_non_existent()) << "only the other used it";
  // One that nothing uses keeps no definition.
  const auto point = a_struct("Point", server_.a_long());
  const auto points = sequence(0, sequence(0, point));
  point->destroy();
  EXPECT_TRUE(points->_non_existent());
  const auto third = a_struct("Third", server_.a_long());
  alias("C", sequence(0, sequence(0, third)));
  EXPECT_EQ(exception_of([&] { third->destroy(); }), "BAD_INV_ORDER 1");
}

TEST_F(IfrUnnamed, InventedReferencesLeadNowhere) {
  sequence(5, server_.a_long());
  const auto of = [&](const std::string& text) { return server_.with_object_id<R::SequenceDef>(text); };
  EXPECT_EQ(of("15/n1")->bound(), 5u);
  for (const char* text : {"15/n99", "14/n1", "15/@99,0,0", "15/@-1,1,0", "15/@-1,0,1", "15/@-1,0,9",
                           "15/@0,0,0", "15/q5:p3", "15/", "15/@-1,0,0x", "15/@", "13/n1", "15/n-1", "15/n01",
                           "15/@-1,99999999999999999999,0", "15/@1,0,0"}) {
    EXPECT_EQ(exception_of([&] { of(text)->bound(); }), "OBJECT_NOT_EXIST 0") << text;
    EXPECT_EQ(exception_of([&] { sequence(0, of(text)); }), "BAD_PARAM 0") << text;
  }
}

// Makes the file as version 1 wrote it: without the table, and with details that end earlier.
void make_version_1(const std::string& path) {
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
  const takt::sqlite::Database database(opened);
  const takt::sqlite::Prepared rows(takt::sqlite::prepared(opened, "SELECT number, details FROM definition"));
  const takt::sqlite::Prepared update(
      takt::sqlite::prepared(opened, "UPDATE definition SET details = ? WHERE number = ?"));
  std::vector<std::pair<std::int64_t, std::vector<std::uint8_t>>> shorter;
  while (sqlite3_step(rows.get()) == SQLITE_ROW) {
    const auto* octets = static_cast<const std::uint8_t*>(sqlite3_column_blob(rows.get(), 1));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(rows.get(), 1));
    takt::ifr::Details details;
    std::size_t length = size - 11;  // two empty sequences, and up to three octets before them
    while (length < size - 8 && !takt::ifr::read_details({octets, length}, details)) ++length;
    shorter.emplace_back(sqlite3_column_int64(rows.get(), 0), std::vector(octets, octets + length));
  }
  for (const auto& [number, octets] : shorter) {
    sqlite3_bind_blob(update.get(), 1, octets.data(), static_cast<int>(octets.size()), SQLITE_STATIC);
    sqlite3_bind_int64(update.get(), 2, number);
    ASSERT_EQ(sqlite3_step(update.get()), SQLITE_DONE);
    sqlite3_reset(update.get());
  }
  ASSERT_TRUE(takt::sqlite::run(opened, "DROP TABLE unnamed; PRAGMA user_version = 1"));
}

TEST(IfrVersion, AFileOfVersion1IsReadAndChanged) {
  const Folder folder;
  const auto before = loaded(folder / "ifr.db", TAKT_ZOO);
  make_version_1(folder / "ifr.db");
  EXPECT_EQ(loaded(folder / "ifr.db", TAKT_ZOO).kept + 1, before.added) << "all but the module are the same";
  IfrServer server(folder / "ifr.db");
  EXPECT_EQ(server.find<R::StructDef>("Zoo::Node")->members().size(), 7u);
  EXPECT_EQ(server.repository->create_string(3)->bound(), 3u);
}

}  // namespace
}  // namespace feature
