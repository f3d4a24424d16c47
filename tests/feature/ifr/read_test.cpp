// The read interfaces of a repository that was loaded from IDL.
#include <gtest/gtest.h>

#include <algorithm>

#include <takt/dynamic/dyn_any.h>

#include "served.h"
#include "types/catalogue.h"
#include "zooC.h"

namespace feature {
namespace {

class IfrRead : public testing::Test {
 protected:
  IfrRead() : counts_(loaded(folder_ / "ifr.db", TAKT_ZOO)), server_(folder_ / "ifr.db") {}

  const Folder folder_;
  const takt::command::LoadCounts counts_;
  IfrServer server_;
};

std::vector<std::string> names_of(const R::ContainedSeq& definitions) {
  std::vector<std::string> names;
  for (const auto& each : definitions) names.push_back(each->name());
  return names;
}

using Names = std::vector<std::string>;

TEST_F(IfrRead, ItsTypeCodesAreThoseOfGeneratedCode) {
  const auto same = [&](const char* name, const CORBA::typecode_reference& type) {
    const auto own = server_.find<R::IDLType>(name)->type();
    EXPECT_TRUE(own->equivalent(type)) << name;
    EXPECT_EQ(own->id(), type->id()) << name;
    EXPECT_EQ(own->name(), type->name()) << name;
  };
  same("Zoo::Colour", Zoo::_tc_Colour);
  same("Zoo::Node", Zoo::_tc_Node);
  same("Zoo::U", Zoo::_tc_U);
  same("Zoo::ByColour", Zoo::_tc_ByColour);
  same("Zoo::ByFlag", Zoo::_tc_ByFlag);
  same("Zoo::Base", Zoo::_tc_Base);
  same("Zoo::V", Zoo::_tc_V);
  same("Zoo::Bespoke", Zoo::_tc_Bespoke);
  same("Zoo::Vague", Zoo::_tc_Vague);
  same("Zoo::I", Zoo::_tc_I);
  same("Zoo::A", Zoo::_tc_A);
  EXPECT_TRUE(server_.find<R::ExceptionDef>("Zoo::Bad")->type()->equivalent(Zoo::_tc_Bad));
  // Members compared as they are, since equivalent() looks no further than the ids.
  const CORBA::typecode_reference generated = Zoo::_tc_U, own = server_.find<R::UnionDef>("Zoo::U")->type();
  ASSERT_EQ(own->member_count(), generated->member_count());
  EXPECT_EQ(own->default_index(), generated->default_index());
  for (std::uint32_t i = 0; i < own->member_count(); ++i) {
    EXPECT_EQ(own->member_name(i), generated->member_name(i));
    EXPECT_EQ(own->member_label(i), generated->member_label(i));
    EXPECT_TRUE(own->member_type(i)->equivalent(generated->member_type(i)));
  }
  const auto node = server_.find<R::StructDef>("Zoo::Node")->type();
  EXPECT_EQ(node->member_type(1)->content_type()->member_count(), 7u) << "recursion";
  EXPECT_EQ(node->member_type(2)->kind(), CORBA::TCKind::tk_alias) << "aliases are kept";
  EXPECT_EQ(node->member_type(3)->content_type()->length(), 3u);
}

// Values of the repository, and those that `takt call --idl` makes.
TEST_F(IfrRead, ValuesHaveTheMembersOfGeneratedCode) {
  const auto catalogue = takt::command::catalogue_of_idl({TAKT_ZOO}, {});
  ASSERT_TRUE(catalogue) << catalogue.error();
  for (const CORBA::typecode_reference& generated : {Zoo::_tc_Base, Zoo::_tc_V, Zoo::_tc_Bespoke}) {
    const std::string name = "Zoo::" + std::string(generated->name());
    for (const auto& own : {server_.find<R::ValueDef>(name)->type(), catalogue->type_named(name)}) {
      EXPECT_EQ(own->type_modifier(), generated->type_modifier()) << name;
      ASSERT_EQ(own->member_count(), generated->member_count()) << name;
      for (std::uint32_t i = 0; i < own->member_count(); ++i) {
        EXPECT_EQ(own->member_name(i), generated->member_name(i));
        EXPECT_EQ(own->member_visibility(i), generated->member_visibility(i)) << own->member_name(i);
      }
    }
  }
}

TEST_F(IfrRead, ConstantsHaveTheirValues) {
  const auto value = [&](const std::string& name) {
    return server_.find<R::ConstantDef>("Zoo::" + name)->value();
  };
  const auto is = [&](const std::string& name, auto expected) {
    auto found = expected;
    EXPECT_TRUE(value(name) >>= found) << name;
    EXPECT_EQ(found, expected) << name;
  };
  is("answer", std::int32_t{-42});
  is("most", std::uint64_t{18446744073709551615u});
  is("small", std::uint8_t{7});
  is("yes", true);
  is("letter", 'x');
  is("wide_letter", L'y');
  is("hello", std::string("hi"));
  is("wide_hello", std::wstring(L"wide"));
  is("quarter", 0.25f);
  is("half", 0.5);
  is("eighth", 0.125L);
  is("favourite", Zoo::Colour::green);
  is("I::limit", std::int32_t{3});
  // With bounds, some by the name of a typedef.
  const auto text = [&](const std::string& name) {
    return DynamicAny::DynAnyFactory(nullptr).create_dyn_any(value(name));
  };
  EXPECT_EQ(text("brief_hello")->get_string(), "hi");
  EXPECT_EQ(value("brief_hello").type()->id(), "IDL:Zoo/Brief:1.0");
  EXPECT_EQ(text("short_hello")->get_wstring(), L"hi");
  EXPECT_EQ(text("three")->get_string(), "abc");
  EXPECT_EQ(value("three").type()->length(), 3u);
  IDL::Fixed<4, 2> price;
  EXPECT_TRUE(value("price") >>= price);
  EXPECT_EQ(price.to_string(), "-12.55");
  IDL::Fixed<2, 2> cents;
  EXPECT_TRUE(value("cents") >>= cents);
  EXPECT_EQ(cents.to_string(), "0.05");
}

TEST_F(IfrRead, FindsByIdAndByName) {
  EXPECT_EQ(server_.repository->lookup_id("IDL:Zoo/I/f:1.0")->absolute_name(), "::Zoo::I::f");
  EXPECT_FALSE(server_.repository->lookup_id("IDL:Zoo/I/h:1.0"));
  EXPECT_FALSE(server_.repository->lookup_id(""));
  EXPECT_EQ(server_.repository->lookup("Zoo::I::f")->id(), "IDL:Zoo/I/f:1.0");
  EXPECT_FALSE(server_.repository->lookup("Zoo::i")) << "look-up minds the case";
  EXPECT_FALSE(server_.repository->lookup("Zoo::I::f::"));
  EXPECT_FALSE(server_.repository->lookup("Zoo::"));
  EXPECT_FALSE(server_.repository->lookup("::"));
  EXPECT_FALSE(server_.repository->lookup(""));
  const auto scope = server_.find<R::InterfaceDef>("Zoo::J");
  EXPECT_EQ(scope->lookup("Nested")->name(), "Nested");
  EXPECT_EQ(scope->lookup("::Zoo::Node")->name(), "Node");
  EXPECT_FALSE(scope->lookup("Node")) << "there is no search in the scopes around";
  EXPECT_EQ(names_of(server_.repository->lookup_name("x", -1, Kind::dk_all, true)), (Names{"x"}));
  EXPECT_EQ(names_of(server_.repository->lookup_name("s", -1, Kind::dk_ValueMember, true)), (Names{"s"}));
  EXPECT_TRUE(server_.repository->lookup_name("x", 2, Kind::dk_all, true).empty());
  EXPECT_EQ(names_of(server_.repository->lookup_name("Zoo", 1, Kind::dk_all, true)), (Names{"Zoo"}));
  EXPECT_EQ(names_of(scope->lookup_name("f", 1, Kind::dk_all, false)), (Names{"f"})) << "inherited";
  EXPECT_TRUE(scope->lookup_name("f", 1, Kind::dk_all, true).empty());
  EXPECT_TRUE(scope->lookup_name("f", 0, Kind::dk_all, false).empty());
}

TEST_F(IfrRead, ContentsAreThoseOfOneKind) {
  EXPECT_EQ(names_of(server_.repository->contents(Kind::dk_all, true)), (Names{"Zoo"}));
  const auto zoo = server_.find<R::ModuleDef>("Zoo");
  EXPECT_EQ(names_of(zoo->contents(Kind::dk_Exception, true)), (Names{"Bad"}));
  EXPECT_EQ(names_of(zoo->contents(Kind::dk_Value, true)), (Names{"Base", "V", "Vague", "Bespoke"}));
  EXPECT_TRUE(zoo->contents(Kind::dk_none, true).empty());
  EXPECT_TRUE(zoo->contents(Kind::dk_Typedef, true).empty());
  const auto j = server_.find<R::InterfaceDef>("Zoo::J");
  EXPECT_EQ(names_of(j->contents(Kind::dk_Operation, true)), (Names{"find_later"}));
  EXPECT_EQ(names_of(j->contents(Kind::dk_Operation, false)), (Names{"find_later", "f", "g", "type_of"}));
  EXPECT_EQ(names_of(server_.find<R::ExceptionDef>("Zoo::Bad")->contents(Kind::dk_all, true)),
            (Names{"Inner"}));
  const auto described = zoo->describe_contents(Kind::dk_all, true, 2);
  ASSERT_EQ(described.size(), 2u);
  EXPECT_EQ(zoo->describe_contents(Kind::dk_all, true, -1).size(), zoo->contents(Kind::dk_all, true).size());
  EXPECT_EQ(described[0].kind(), Kind::dk_Enum);
  R::TypeDescription type;
  ASSERT_TRUE(described[0].value() >>= type);
  EXPECT_EQ(type.defined_in(), "IDL:Zoo:1.0");
  EXPECT_TRUE(type.type()->equal(Zoo::_tc_Colour));
}

TEST_F(IfrRead, DescribesInterfaces) {
  const auto j = server_.find<R::InterfaceDef>("Zoo::J");
  const auto full = j->describe_interface();
  EXPECT_EQ(full.id(), "IDL:Zoo/J:1.0");
  EXPECT_EQ(full.defined_in(), "IDL:Zoo:1.0");
  EXPECT_EQ(full.version(), "1.0");
  EXPECT_EQ(full.base_interfaces(), (std::vector<std::string>{"IDL:Zoo/I:1.0"}));
  ASSERT_EQ(full.operations().size(), 4u);
  ASSERT_EQ(full.attributes().size(), 2u);
  const auto& f = full.operations()[1];
  EXPECT_EQ(f.name(), "f");
  EXPECT_EQ(f.defined_in(), "IDL:Zoo/I:1.0");
  EXPECT_EQ(f.result()->kind(), CORBA::TCKind::tk_void);
  EXPECT_EQ(f.contexts(), (std::vector<std::string>{"a", "b*"}));
  ASSERT_EQ(f.parameters().size(), 3u);
  EXPECT_EQ(f.parameters()[1].mode(), R::ParameterMode::PARAM_OUT);
  EXPECT_EQ(f.parameters()[2].mode(), R::ParameterMode::PARAM_INOUT);
  EXPECT_TRUE(f.parameters()[0].type()->equivalent(Zoo::_tc_Node));
  EXPECT_EQ(IDL::traits<R::StructDef>::narrow(f.parameters()[0].type_def())->id(), "IDL:Zoo/Node:1.0");
  ASSERT_EQ(f.exceptions().size(), 1u);
  EXPECT_EQ(f.exceptions()[0].id(), "IDL:Zoo/Bad:1.0");
  EXPECT_EQ(full.operations()[2].mode(), R::OperationMode::OP_ONEWAY);
  EXPECT_EQ(full.attributes()[0].mode(), R::AttributeMode::ATTR_NORMAL);
  EXPECT_EQ(full.attributes()[1].mode(), R::AttributeMode::ATTR_READONLY);
  EXPECT_TRUE(j->is_a("IDL:Zoo/I:1.0"));
  EXPECT_TRUE(j->is_a("IDL:Zoo/J:1.0"));
  EXPECT_TRUE(j->is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(j->is_a("IDL:Zoo/A:1.0"));
  EXPECT_EQ(server_.find<R::InterfaceDef>("Zoo::A")->def_kind(), Kind::dk_AbstractInterface);
  EXPECT_EQ(server_.find<R::InterfaceDef>("Zoo::L")->def_kind(), Kind::dk_LocalInterface);
  EXPECT_TRUE(server_.find<R::InterfaceDef>("Zoo::Later")->describe_interface().operations().empty());
}

TEST_F(IfrRead, DescribesValues) {
  const auto v = server_.find<R::ValueDef>("Zoo::V");
  const auto full = v->describe_value();
  EXPECT_TRUE(full.is_truncatable());
  EXPECT_FALSE(full.is_custom());
  EXPECT_EQ(full.base_value(), "IDL:Zoo/Base:1.0");
  EXPECT_EQ(full.supported_interfaces(), (std::vector<std::string>{"IDL:Zoo/I:1.0"}));
  ASSERT_EQ(full.members().size(), 1u);
  EXPECT_EQ(full.members()[0].name(), "next");
  EXPECT_EQ(full.members()[0].access(), 1);
  EXPECT_EQ(full.operations().size(), 3u) << "those of the supported interface";
  EXPECT_TRUE(v->is_a("IDL:Zoo/Base:1.0"));
  EXPECT_TRUE(v->is_a("IDL:Zoo/I:1.0"));
  const auto base = server_.find<R::ValueDef>("Zoo::Base");
  ASSERT_EQ(base->initializers().size(), 1u);
  EXPECT_EQ(base->initializers()[0].name(), "make");
  EXPECT_EQ(base->initializers()[0].members()[0].type()->kind(), CORBA::TCKind::tk_string);
  EXPECT_TRUE(server_.find<R::ValueDef>("Zoo::Vague")->is_abstract());
  EXPECT_TRUE(server_.find<R::ValueDef>("Zoo::Bespoke")->is_custom());
  EXPECT_FALSE(base->base_value());
  EXPECT_EQ(v->base_value()->id(), "IDL:Zoo/Base:1.0");
}

TEST_F(IfrRead, TypesWithoutANameSayWhatTheyAre) {
  const auto longs = server_.find<R::AliasDef>("Zoo::Longs")->original_type_def();
  const auto sequence = IDL::traits<R::SequenceDef>::narrow(longs);
  ASSERT_TRUE(sequence);
  EXPECT_EQ(sequence->bound(), 5u);
  EXPECT_EQ(sequence->def_kind(), Kind::dk_Sequence);
  EXPECT_EQ(IDL::traits<R::PrimitiveDef>::narrow(sequence->element_type_def())->kind(),
            R::PrimitiveKind::pk_long);
  EXPECT_FALSE(IDL::traits<R::ArrayDef>::narrow(longs));
  const auto array =
      IDL::traits<R::ArrayDef>::narrow(server_.find<R::AliasDef>("Zoo::Names")->original_type_def());
  EXPECT_EQ(array->length(), 3u);
  EXPECT_EQ(array->element_type()->length(), 2u);
  const auto money =
      IDL::traits<R::FixedDef>::narrow(server_.find<R::AliasDef>("Zoo::Money")->original_type_def());
  EXPECT_EQ(money->digits(), 7);
  EXPECT_EQ(money->scale(), 2);
  const auto brief =
      IDL::traits<R::StringDef>::narrow(server_.find<R::AliasDef>("Zoo::Brief")->original_type_def());
  EXPECT_EQ(brief->bound(), 10u);
}

TEST_F(IfrRead, EachPrimitiveHasItsType) {
  for (std::uint32_t kind = 0; kind <= static_cast<std::uint32_t>(R::PrimitiveKind::pk_value_base); ++kind) {
    const auto primitive = server_.repository->get_primitive(static_cast<R::PrimitiveKind>(kind));
    EXPECT_EQ(primitive->kind(), static_cast<R::PrimitiveKind>(kind));
    EXPECT_TRUE(primitive->type());
  }
  EXPECT_EQ(server_.primitive(R::PrimitiveKind::pk_wstring)->type()->kind(), CORBA::TCKind::tk_wstring);
  EXPECT_EQ(server_.primitive(R::PrimitiveKind::pk_value_base)->type()->id(),
            "IDL:omg.org/CORBA/ValueBase:1.0");
}

TEST_F(IfrRead, EachObjectHasItsInterface) {
  EXPECT_TRUE(server_.repository->_is_a("IDL:omg.org/CORBA/Repository:1.0"));
  EXPECT_TRUE(server_.repository->_is_a("IDL:omg.org/CORBA/Container:1.0"));
  const auto zoo = server_.find<R::ModuleDef>("Zoo");
  EXPECT_TRUE(zoo->defined_in()->_is_equivalent(server_.repository));
  EXPECT_TRUE(zoo->containing_repository()->_is_equivalent(server_.repository));
  for (const auto& each : zoo->contents(Kind::dk_all, true)) {
    EXPECT_TRUE(each->_is_a("IDL:omg.org/CORBA/Contained:1.0"));
    EXPECT_TRUE(each->defined_in()->_is_equivalent(zoo));
    EXPECT_EQ(each->version(), "1.0");
    EXPECT_EQ(each->describe().kind(), each->def_kind());
    EXPECT_FALSE(each->_non_existent());
  }
}

TEST_F(IfrRead, ForeignObjectKeysLeadNowhere) {
  const auto poa_key = server_.client().object_to_string(server_.repository);
  const auto missing = [&](const std::string& id) {
    // The same reference with another object id, of the same length.
    const std::string from = "31372f";  // "17/"
    std::string text = poa_key;
    const std::size_t at = text.rfind(from);
    ASSERT_NE(at, std::string::npos);
    std::string hex;
    for (const unsigned char c : id) {
      hex += "0123456789abcdef"[c >> 4];
      hex += "0123456789abcdef"[c & 15];
    }
    text.replace(at, from.size(), hex);
    const auto object = IDL::traits<R::IRObject>::unchecked_narrow(server_.client().string_to_object(text));
    EXPECT_EQ(exception_of([&] { object->def_kind(); }), "OBJECT_NOT_EXIST 0") << id;
  };
  for (const char* id : {"99/", "xx/", "///", "13/", "\xff\xff\xff", "00/"}) missing(id);
}

TEST_F(IfrRead, CanonicalTypesAreTheRepositorys) {
  const auto own = server_.repository->get_canonical_typecode(
      server_.client().create_sequence_tc(3, server_.client().create_struct_tc("IDL:Zoo/Node:1.0", "", {})));
  EXPECT_EQ(own->length(), 3u);
  EXPECT_EQ(own->content_type()->member_count(), 7u);
  const auto other = server_.client().create_struct_tc("IDL:Elsewhere:1.0", "Elsewhere", {});
  EXPECT_TRUE(server_.repository->get_canonical_typecode(other)->equal(other));
}

}  // namespace
}  // namespace feature
