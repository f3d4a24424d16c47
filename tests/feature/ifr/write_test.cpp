// The write interfaces of a repository: what they create, and what they refuse.
#include <gtest/gtest.h>

#include "served.h"

namespace feature {
namespace {

using Visibility = std::int16_t;

class IfrWrite : public testing::Test {
 protected:
  IfrWrite() : module_(server_.repository->create_module("IDL:M:1.0", "M", "1.0")) {}

  R::StructMemberSeq members(const std::vector<std::pair<std::string, Ref<R::IDLType>>>& all) {
    R::StructMemberSeq made;
    for (const auto& [name, type] : all) made.emplace_back(name, CORBA::typecode_reference(), type);
    return made;
  }
  Ref<R::StructDef> point(const std::string& name = "Point") {
    return module_->create_struct("IDL:M/" + name + ":1.0", name, "1.0",
                                  members({{"x", server_.a_long()}, {"y", server_.a_long()}}));
  }
  Ref<R::InterfaceDef> interface(const std::string& name, const R::InterfaceDefSeq& bases = {}) {
    return module_->create_interface("IDL:M/" + name + ":1.0", name, "1.0", bases);
  }
  Ref<R::OperationDef> operation(const Ref<R::InterfaceDef>& in, const std::string& name,
                                 R::OperationMode mode = R::OperationMode::OP_NORMAL,
                                 const R::ParDescriptionSeq& parameters = {}, Ref<R::IDLType> result = {}) {
    if (!result) result = server_.primitive(R::PrimitiveKind::pk_void);
    return in->create_operation("IDL:M/" + in->name() + "/" + name + ":1.0", name, "1.0", result, mode,
                                parameters, {}, {});
  }
  Ref<R::ValueDef> value(const std::string& name, bool is_abstract = false, Ref<R::ValueDef> base = {},
                         const R::InterfaceDefSeq& supported = {}, bool is_truncatable = false) {
    return module_->create_value("IDL:M/" + name + ":1.0", name, "1.0", false, is_abstract, base,
                                 is_truncatable, {}, supported, {});
  }
  std::size_t count() { return module_->contents(Kind::dk_all, true).size(); }
  CORBA::Any any(auto value) {
    CORBA::Any made;
    made <<= value;
    return made;
  }

  IfrServer server_;
  const Ref<R::ModuleDef> module_;
};

TEST_F(IfrWrite, CreatesEachKind) {
  const auto kind = [&](const Ref<R::IRObject>& object) { return object->def_kind(); };
  const auto a_struct = point();
  EXPECT_EQ(kind(a_struct), Kind::dk_Struct);
  EXPECT_EQ(a_struct->type()->member_count(), 2u);
  EXPECT_EQ(a_struct->members()[1].name(), "y");
  EXPECT_EQ(a_struct->absolute_name(), "::M::Point");
  const auto colour = module_->create_enum("IDL:M/Colour:1.0", "Colour", "1.0", {"red", "green"});
  EXPECT_EQ(colour->members(), (std::vector<std::string>{"red", "green"}));
  const auto labels = colour->type();
  const auto a_union = module_->create_union("IDL:M/U:1.0", "U", "1.0", colour,
                                             {{"a", takt::cdr::label_any(labels, 1), {}, server_.a_long()},
                                              {"b", any(std::uint8_t{0}), {}, a_struct}});
  EXPECT_EQ(a_union->type()->default_index(), 1);
  EXPECT_EQ(a_union->members()[0].label(), takt::cdr::label_any(labels, 1));
  const auto list = server_.repository->create_sequence(0, a_struct);
  EXPECT_EQ(module_->create_alias("IDL:M/List:1.0", "List", "1.0", list)->type()->content_type()->kind(),
            CORBA::TCKind::tk_sequence);
  EXPECT_EQ(kind(module_->create_value_box("IDL:M/Box:1.0", "Box", "1.0", a_struct)), Kind::dk_ValueBox);
  EXPECT_EQ(module_->create_native("IDL:M/N:1.0", "N", "1.0")->type()->kind(), CORBA::TCKind::tk_native);
  const auto bad = module_->create_exception("IDL:M/Bad:1.0", "Bad", "1.0", members({{"why", a_struct}}));
  EXPECT_EQ(bad->type()->kind(), CORBA::TCKind::tk_except);
  const auto constant =
      module_->create_constant("IDL:M/c:1.0", "c", "1.0", server_.a_long(), any(std::int32_t{7}));
  EXPECT_EQ(constant->value(), any(std::int32_t{7}));
  const auto base = interface("Base"), derived = interface("Derived", {base});
  operation(base, "f", R::OperationMode::OP_NORMAL, {{"p", {}, a_struct, R::ParameterMode::PARAM_OUT}});
  base->create_attribute("IDL:M/Base/a:1.0", "a", "1.0", server_.a_long(), R::AttributeMode::ATTR_READONLY);
  const auto full = derived->describe_interface();
  ASSERT_EQ(full.operations().size(), 1u);
  EXPECT_EQ(full.operations()[0].parameters()[0].type()->id(), "IDL:M/Point:1.0");
  EXPECT_EQ(full.attributes()[0].mode(), R::AttributeMode::ATTR_READONLY);
  const auto a_value = value("V");
  a_value->create_value_member("IDL:M/V/x:1.0", "x", "1.0", server_.a_long(), Visibility{1});
  EXPECT_EQ(a_value->type()->member_visibility(0), CORBA::PUBLIC_MEMBER);
  EXPECT_EQ(kind(module_->create_abstract_interface("IDL:M/A:1.0", "A", "1.0", {})),
            Kind::dk_AbstractInterface);
  EXPECT_EQ(kind(module_->create_local_interface("IDL:M/L:1.0", "L", "1.0", {})), Kind::dk_LocalInterface);
  EXPECT_EQ(kind(module_->create_module("IDL:M/Inner:1.0", "Inner", "1.0")), Kind::dk_Module);
  EXPECT_EQ(server_.repository->create_string(4)->bound(), 4u);
  EXPECT_EQ(server_.repository->create_wstring(4)->type()->length(), 4u);
  EXPECT_EQ(server_.repository->create_fixed(4, 2)->type()->fixed_scale(), 2);
  EXPECT_EQ(server_.repository->create_array(4, list)->element_type()->kind(), CORBA::TCKind::tk_sequence);
}

TEST_F(IfrWrite, IdsAndNamesAreUnique) {
  point();
  EXPECT_EQ(exception_of([&] { server_.repository->create_module("IDL:M/Point:1.0", "Other", "1.0"); }),
            "BAD_PARAM 2");
  EXPECT_EQ(exception_of([&] { module_->create_native("IDL:M/Other:1.0", "Point", "1.0"); }), "BAD_PARAM 3");
  EXPECT_EQ(exception_of([&] { module_->create_native("IDL:M/Other:1.0", "pOINT", "1.0"); }), "BAD_PARAM 3");
  EXPECT_EQ(exception_of([&] { module_->create_native("IDL:M/Other:1.0", "a b", "1.0"); }), "BAD_PARAM 15");
  EXPECT_EQ(exception_of([&] { module_->create_native("IDL:M/Other:1.0", "", "1.0"); }), "BAD_PARAM 15");
  for (const char* id : {"Other", "", ":x", "IDL:M/ O:1.0", "IDL:M/\x01:1.0"})
    EXPECT_EQ(exception_of([&] { module_->create_native(id, "Other", "1.0"); }), "BAD_PARAM 16") << id;
  EXPECT_EQ(exception_of([&] { module_->create_native("IDL:M/O:1.0", "Other", "1 0"); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { module_->create_native("IDL:M/O:1.0", std::string(513, 'a'), "1.0"); }),
            "IMP_LIMIT 0");
  EXPECT_EQ(exception_of([&] { module_->create_native("IDL:" + std::string(1025, 'a'), "O", "1.0"); }),
            "IMP_LIMIT 0");
  const auto other = point("Other");
  EXPECT_EQ(exception_of([&] { other->id("IDL:M/Point:1.0"); }), "BAD_PARAM 2");
  EXPECT_EQ(exception_of([&] { other->name("Point"); }), "BAD_PARAM 3");
  EXPECT_EQ(exception_of([&] { other->move(module_, "Point", "1.0"); }), "BAD_PARAM 3");
  EXPECT_EQ(count(), 2u);
}

TEST_F(IfrWrite, ContainersHoldWhatTheStandardPermits) {
  const auto a_struct = point();
  EXPECT_EQ(exception_of([&] { a_struct->create_module("IDL:X:1.0", "X", "1.0"); }), "BAD_PARAM 4");
  EXPECT_EQ(exception_of([&] { a_struct->create_interface("IDL:X:1.0", "X", "1.0", {}); }), "BAD_PARAM 4");
  EXPECT_EQ(exception_of([&] { interface("I")->create_value_box("IDL:X:1.0", "X", "1.0", a_struct); }),
            "nothing");
  EXPECT_EQ(exception_of([&] { interface("J")->create_module("IDL:Y:1.0", "Y", "1.0"); }), "BAD_PARAM 4");
  a_struct->create_enum("IDL:Z:1.0", "Z", "1.0", {"a"});
  EXPECT_EQ(exception_of([&] { module_->move(a_struct, "M", "1.0"); }), "BAD_PARAM 4");
  const auto inner = module_->create_module("IDL:M/Inner:1.0", "Inner", "1.0");
  EXPECT_EQ(exception_of([&] { module_->move(inner, "M", "1.0"); }), "BAD_PARAM 4") << "into itself";
  IfrServer other;
  EXPECT_EQ(exception_of([&] { inner->move(other.repository, "Inner", "1.0"); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { inner->move({}, "Inner", "1.0"); }), "BAD_PARAM 0");
}

TEST_F(IfrWrite, NamesDoNotClashByInheritance) {
  const auto base = interface("Base"), other = interface("Other"), derived = interface("Derived", {base});
  operation(base, "f");
  EXPECT_EQ(exception_of([&] { operation(derived, "f"); }), "BAD_PARAM 5");
  EXPECT_EQ(exception_of([&] { operation(derived, "F"); }), "BAD_PARAM 5");
  operation(derived, "g");
  EXPECT_EQ(exception_of([&] { operation(base, "g"); }), "BAD_PARAM 5") << "a derived interface has it";
  EXPECT_EQ(exception_of([&] { base->lookup("f")->name("g"); }), "BAD_PARAM 5");
  operation(other, "f");
  EXPECT_EQ(exception_of([&] { derived->base_interfaces({base, other}); }), "BAD_PARAM 5");
  EXPECT_EQ(exception_of([&] { interface("Both", {base, other}); }), "BAD_PARAM 5");
  EXPECT_EQ(exception_of([&] { interface("Twice", {base, base}); }), "BAD_PARAM 5");
  EXPECT_EQ(exception_of([&] { base->base_interfaces({derived}); }), "BAD_PARAM 5") << "a circle";
  EXPECT_EQ(exception_of([&] { base->base_interfaces({base}); }), "BAD_PARAM 5");
  EXPECT_EQ(exception_of([&] { base->base_interfaces({other}); }), "BAD_PARAM 5");
  const auto third = interface("Third");
  operation(third, "g");
  EXPECT_EQ(exception_of([&] { base->base_interfaces({third}); }), "BAD_PARAM 5")
      << "a derived interface has it";
  EXPECT_TRUE(base->base_interfaces().empty());
  EXPECT_FALSE(module_->lookup("Both"));
  // A diamond has each name once.
  const auto left = interface("Left", {base}), right = interface("Right", {base});
  EXPECT_EQ(interface("Bottom", {left, right})->describe_interface().operations().size(), 1u);
}

TEST_F(IfrWrite, KindsOfBases) {
  const auto concrete = interface("I"), second = interface("J");
  const auto abstract = module_->create_abstract_interface("IDL:M/A:1.0", "A", "1.0", {});
  const auto as_abstract = IDL::traits<R::AbstractInterfaceDef>::unchecked_narrow(concrete);
  EXPECT_EQ(
      exception_of([&] { module_->create_abstract_interface("IDL:M/B:1.0", "B", "1.0", {as_abstract}); }),
      "BAD_PARAM 11");
  EXPECT_EQ(exception_of([&] { abstract->base_interfaces({concrete}); }), "BAD_PARAM 11");
  EXPECT_EQ(exception_of([&] { value("V", false, {}, {concrete, second}); }), "BAD_PARAM 12");
  EXPECT_EQ(exception_of([&] { value("V", false, {}, {concrete, abstract}); }), "nothing");
  const auto vague = value("Vague", true), base = value("Base");
  EXPECT_EQ(exception_of([&] { value("W", false, vague); }), "BAD_PARAM 0")
      << "a concrete base that is abstract";
  EXPECT_EQ(exception_of([&] { value("W", true, base); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { value("W", false, {}, {}, true); }), "BAD_PARAM 0")
      << "truncatable to nothing";
  EXPECT_EQ(exception_of([&] { base->base_value(base); }), "BAD_PARAM 5");
  EXPECT_EQ(exception_of([&] { base->abstract_base_values({base}); }), "BAD_PARAM 0");
}

TEST_F(IfrWrite, OnewayOperationsReturnNothing) {
  const auto in = interface("I");
  const auto oneway = R::OperationMode::OP_ONEWAY;
  EXPECT_EQ(exception_of([&] {
              operation(in, "a", oneway, {{"p", {}, server_.a_long(), R::ParameterMode::PARAM_OUT}});
            }),
            "BAD_PARAM 31");
  EXPECT_EQ(exception_of([&] { operation(in, "a", oneway, {}, server_.a_long()); }), "BAD_PARAM 31");
  const auto fine = operation(in, "a", oneway, {{"p", {}, server_.a_long(), R::ParameterMode::PARAM_IN}});
  EXPECT_EQ(exception_of([&] { fine->result_def(server_.a_long()); }), "BAD_PARAM 31");
  const auto bad = module_->create_exception("IDL:M/Bad:1.0", "Bad", "1.0", {});
  EXPECT_EQ(exception_of([&] { fine->exceptions({bad}); }), "BAD_PARAM 31");
  fine->mode(R::OperationMode::OP_NORMAL);
  fine->exceptions({bad});
  EXPECT_EQ(fine->exceptions()[0]->id(), "IDL:M/Bad:1.0");
  EXPECT_EQ(exception_of([&] { fine->mode(oneway); }), "BAD_PARAM 31");
}

TEST_F(IfrWrite, MembersAndTypesAreChecked) {
  const auto make = [&](const R::StructMemberSeq& given) {
    return exception_of([&] { module_->create_struct("IDL:M/S:1.0", "S", "1.0", given); });
  };
  EXPECT_EQ(make(members({{"a", server_.a_long()}, {"A", server_.a_long()}})), "BAD_PARAM 17");
  EXPECT_EQ(make(members({{"1", server_.a_long()}})), "BAD_PARAM 17");
  EXPECT_EQ(make(members({{"a", server_.primitive(R::PrimitiveKind::pk_void)}})), "BAD_TYPECODE 2");
  EXPECT_EQ(make(members({{"a", {}}})), "BAD_PARAM 0");
  EXPECT_EQ(make(members({{"a", IDL::traits<R::IDLType>::unchecked_narrow(module_)}})), "BAD_PARAM 0");
  IfrServer other;
  EXPECT_EQ(make(members({{"a", other.a_long()}})), "BAD_PARAM 0") << "an object of another repository";
  EXPECT_EQ(exception_of([&] { module_->create_enum("IDL:M/E:1.0", "E", "1.0", {}); }), "BAD_PARAM 17");
  EXPECT_EQ(exception_of([&] { module_->create_enum("IDL:M/E:1.0", "E", "1.0", {"a", "a"}); }),
            "BAD_PARAM 17");
  const auto unite = [&](const Ref<R::IDLType>& discriminator, const R::UnionMemberSeq& given) {
    return exception_of([&] { module_->create_union("IDL:M/U:1.0", "U", "1.0", discriminator, given); });
  };
  const auto one = any(std::int32_t{1});
  EXPECT_EQ(unite(server_.a_long(), {{"a", one, {}, server_.a_long()}, {"b", one, {}, server_.a_long()}}),
            "BAD_PARAM 18");
  EXPECT_EQ(unite(server_.a_long(), {{"a", any(std::int16_t{1}), {}, server_.a_long()}}), "BAD_PARAM 19");
  EXPECT_EQ(unite(server_.primitive(R::PrimitiveKind::pk_float), {}), "BAD_PARAM 20");
  EXPECT_EQ(unite(server_.a_long(), {{"a", one, {}, server_.a_long()},
                                     {"c", any(std::int32_t{2}), {}, server_.a_long()},
                                     {"a", any(std::int32_t{3}), {}, server_.a_long()}}),
            "BAD_PARAM 17");
  EXPECT_EQ(
      exception_of([&] { module_->create_constant("IDL:M/c:1.0", "c", "1.0", server_.a_long(), any(2.0)); }),
      "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] {
              module_->create_constant("IDL:M/c:1.0", "c", "1.0", server_.primitive(R::PrimitiveKind::pk_any),
                                       one);
            }),
            "BAD_TYPECODE 2");
  EXPECT_EQ(exception_of([&] {
              module_->create_constant("IDL:M/c:1.0", "c", "1.0",
                                       server_.primitive(R::PrimitiveKind::pk_string),
                                       any(std::string(70'000, 'x')));
            }),
            "IMP_LIMIT 0");
}

TEST_F(IfrWrite, TypesDoNotContainThemselves) {
  const auto a_struct = point();
  EXPECT_EQ(exception_of([&] { a_struct->members(members({{"again", a_struct}})); }), "BAD_TYPECODE 2");
  const auto array = server_.repository->create_array(2, a_struct);
  EXPECT_EQ(exception_of([&] { a_struct->members(members({{"again", array}})); }), "BAD_TYPECODE 2");
  const auto alias = module_->create_alias("IDL:M/A:1.0", "A", "1.0", a_struct);
  EXPECT_EQ(exception_of([&] { a_struct->members(members({{"again", alias}})); }), "BAD_TYPECODE 2");
  EXPECT_EQ(exception_of([&] { alias->original_type_def(alias); }), "BAD_TYPECODE 2");
  const auto of_alias = server_.repository->create_sequence(0, alias);
  EXPECT_EQ(exception_of([&] { alias->original_type_def(of_alias); }), "BAD_TYPECODE 2");
  EXPECT_EQ(a_struct->members().size(), 2u) << "nothing has changed";
  // Recursion through a sequence is legal.
  a_struct->members(members({{"children", of_alias}}));
  EXPECT_EQ(a_struct->type()->member_type(0)->content_type()->content_type()->member_count(), 1u);
  // As is a value that has itself as a member.
  const auto a_value = value("V");
  a_value->create_value_member("IDL:M/V/next:1.0", "next", "1.0", a_value, Visibility{0});
  EXPECT_EQ(a_value->type()->member_type(0)->member_count(), 1u);
}

TEST_F(IfrWrite, TypesThatAllContainEachOtherAreMadeOnceInEachOther) {
  constexpr std::size_t count = 14;
  std::vector<Ref<R::StructDef>> structs;
  std::vector<std::pair<std::string, Ref<R::IDLType>>> sequences;
  for (std::size_t i = 0; i < count; ++i) {
    structs.push_back(point("S" + std::to_string(i)));
    sequences.emplace_back("m" + std::to_string(i), server_.repository->create_sequence(0, structs.back()));
  }
  for (const auto& one : structs) one->members(members(sequences));
  const auto first = structs.front()->type();
  ASSERT_EQ(first->member_count(), count);
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_TRUE(structs[i]->type() == first->member_type(static_cast<std::uint32_t>(i))->content_type());
}

TEST_F(IfrWrite, ChangesMustFitThoseWhoUseThem) {
  const auto colour = module_->create_enum("IDL:M/Colour:1.0", "Colour", "1.0", {"red", "green"});
  module_->create_union("IDL:M/U:1.0", "U", "1.0", colour,
                        {{"a", takt::cdr::label_any(colour->type(), 1), {}, server_.a_long()}});
  EXPECT_EQ(exception_of([&] { colour->members({"red"}); }), "BAD_PARAM 19");
  colour->members({"red", "blue", "green"});
  EXPECT_EQ(colour->type()->member_count(), 3u);
  const auto constant =
      module_->create_constant("IDL:M/c:1.0", "c", "1.0", server_.a_long(), any(std::int32_t{7}));
  constant->type_def(server_.primitive(R::PrimitiveKind::pk_double));
  EXPECT_EQ(constant->value().type()->kind(), CORBA::TCKind::tk_null) << "the value was of the other type";
  constant->value(any(2.5));
  EXPECT_EQ(constant->value(), any(2.5));
  EXPECT_EQ(exception_of([&] { constant->value(any(std::int32_t{7})); }), "BAD_PARAM 0");
}

TEST_F(IfrWrite, DestroysNothingThatIsUsed) {
  const auto a_struct = point();
  const auto inner = module_->create_module("IDL:M/Inner:1.0", "Inner", "1.0");
  const auto alias =
      inner->create_alias("IDL:M/Inner/A:1.0", "A", "1.0", server_.repository->create_sequence(0, a_struct));
  EXPECT_EQ(exception_of([&] { a_struct->destroy(); }), "BAD_INV_ORDER 1");
  EXPECT_EQ(exception_of([&] { server_.repository->destroy(); }), "BAD_INV_ORDER 2");
  EXPECT_EQ(exception_of([&] { server_.a_long()->destroy(); }), "BAD_INV_ORDER 2");
  inner->destroy();
  EXPECT_TRUE(alias->_non_existent()) << "with the module";
  EXPECT_EQ(exception_of([&] { alias->name(); }), "OBJECT_NOT_EXIST 0");
  a_struct->destroy();
  EXPECT_EQ(exception_of([&] { module_->create_alias("IDL:M/B:1.0", "B", "1.0", a_struct); }), "BAD_PARAM 0");
  EXPECT_EQ(count(), 0u);
  const auto next = point();
  EXPECT_FALSE(next->_is_equivalent(a_struct)) << "references to destroyed definitions lead to no new one";
  module_->destroy();
  EXPECT_TRUE(server_.repository->contents(Kind::dk_all, true).empty());
}

TEST_F(IfrWrite, MovesAndRenames) {
  const auto a_struct = point();
  const auto inner = module_->create_module("IDL:M/Inner:1.0", "Inner", "1.0");
  a_struct->move(inner, "Place", "2.0");
  EXPECT_EQ(a_struct->absolute_name(), "::M::Inner::Place");
  EXPECT_EQ(a_struct->version(), "2.0");
  EXPECT_EQ(a_struct->id(), "IDL:M/Point:1.0") << "the id stays";
  EXPECT_TRUE(a_struct->defined_in()->_is_equivalent(inner));
  a_struct->name("PLACE");
  EXPECT_EQ(a_struct->name(), "PLACE");
  a_struct->id("IDL:M/Inner/Place:2.0");
  EXPECT_TRUE(server_.repository->lookup_id("IDL:M/Inner/Place:2.0"));
  EXPECT_FALSE(server_.repository->lookup_id("IDL:M/Point:1.0"));
  a_struct->move(server_.repository, "Place", "2.0");
  EXPECT_EQ(a_struct->absolute_name(), "::Place");
  a_struct->version("3.0");
  EXPECT_EQ(a_struct->version(), "3.0");
}

TEST_F(IfrWrite, SetsWhatItGets) {
  const auto bad = module_->create_exception("IDL:M/Bad:1.0", "Bad", "1.0", {});
  bad->members(members({{"why", server_.a_long()}}));
  EXPECT_EQ(bad->members()[0].name(), "why");
  const auto in = interface("I");
  const auto f = operation(in, "f");
  f->params({{"p", {}, server_.a_long(), R::ParameterMode::PARAM_INOUT}});
  EXPECT_EQ(f->params()[0].mode(), R::ParameterMode::PARAM_INOUT);
  f->contexts({"a*"});
  EXPECT_EQ(f->contexts(), (std::vector<std::string>{"a*"}));
  f->result_def(server_.a_long());
  EXPECT_EQ(f->result()->kind(), CORBA::TCKind::tk_long);
  const auto a =
      in->create_attribute("IDL:M/I/a:1.0", "a", "1.0", server_.a_long(), R::AttributeMode::ATTR_NORMAL);
  a->mode(R::AttributeMode::ATTR_READONLY);
  EXPECT_EQ(a->mode(), R::AttributeMode::ATTR_READONLY);
  a->type_def(server_.primitive(R::PrimitiveKind::pk_any));
  EXPECT_EQ(a->type()->kind(), CORBA::TCKind::tk_any);
  const auto v = value("V");
  v->initializers({{members({{"x", server_.a_long()}}), "make"}});
  EXPECT_EQ(v->initializers()[0].name(), "make");
  v->is_custom(true);
  EXPECT_TRUE(v->is_custom());
  v->supported_interfaces({in});
  EXPECT_EQ(v->supported_interfaces()[0]->id(), "IDL:M/I:1.0");
  EXPECT_EQ(v->describe_value().operations().size(), 1u);
  const auto x = v->create_value_member("IDL:M/V/x:1.0", "x", "1.0", server_.a_long(), Visibility{0});
  x->access(Visibility{1});
  EXPECT_EQ(x->access(), 1);
  EXPECT_EQ(exception_of([&] { x->access(Visibility{2}); }), "BAD_PARAM 0");
}

TEST_F(IfrWrite, SequencesNestToALimit) {
  Ref<R::IDLType> type = server_.a_long();
  for (int i = 0; i < 64; ++i) type = server_.repository->create_sequence(0, type);
  EXPECT_EQ(exception_of([&] { server_.repository->create_sequence(0, type); }), "IMP_LIMIT 0");
  EXPECT_EQ(exception_of([&] { server_.repository->create_array(0, server_.a_long()); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { server_.repository->create_string(0); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { server_.repository->create_fixed(32, 0); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { server_.repository->create_fixed(4, -1); }), "BAD_PARAM 0");
}

TEST(IfrLimits, AreKept) {
  takt::ifr::Limits limits;
  limits.definitions = 4;
  limits.members = 2;
  limits.nesting = 3;
  limits.listed = 3;
  IfrServer server({}, limits);
  const auto a = server.repository->create_module("IDL:A:1.0", "A", "1.0");
  EXPECT_EQ(exception_of([&] { a->create_enum("IDL:E:1.0", "E", "1.0", {"a", "b", "c"}); }), "IMP_LIMIT 0");
  const auto b = a->create_module("IDL:B:1.0", "B", "1.0");
  const auto c = b->create_module("IDL:C:1.0", "C", "1.0");
  EXPECT_EQ(exception_of([&] { c->create_native("IDL:D:1.0", "D", "1.0"); }), "IMP_LIMIT 0") << "four scopes";
  server.repository->create_native("IDL:D:1.0", "D", "1.0");
  EXPECT_EQ(exception_of([&] { server.repository->create_native("IDL:E:1.0", "E", "1.0"); }), "IMP_LIMIT 0");
  c->destroy();
  server.repository->create_native("IDL:E:1.0", "E", "1.0");
}

TEST(IfrLimits, UsersOfAnInterfaceDoNotHideWhatDerivesFromIt) {
  IfrServer ifr({}, {.listed = 3});
  const auto base = ifr.repository->create_interface("IDL:Base:1.0", "Base", "1.0", {});
  for (const std::string name : {"a", "b", "c", "d"})
    ifr.repository->create_alias("IDL:" + name + ":1.0", name, "1.0", base);
  const auto derived = ifr.repository->create_interface("IDL:Derived:1.0", "Derived", "1.0", {base});
  const auto add = [&](const auto& to, const std::string& name) {
    to->create_attribute("IDL:" + name + ":1.0", "speed", "1.0", ifr.a_long(), R::AttributeMode::ATTR_NORMAL);
  };
  add(derived, "DerivedSpeed");
  EXPECT_EQ(exception_of([&] { add(base, "BaseSpeed"); }), "BAD_PARAM 5");
  for (const std::string name : {"E", "F", "G"})
    ifr.repository->create_interface("IDL:" + name + ":1.0", name, "1.0", {base});
  EXPECT_EQ(exception_of([&] {
              base->create_attribute("IDL:other:1.0", "other", "1.0", ifr.a_long(),
                                     R::AttributeMode::ATTR_NORMAL);
            }),
            "IMP_LIMIT 0");
}

TEST(IfrLimits, DefinitionsElsewhereDoNotHinderALookUpInOneScope) {
  IfrServer ifr({}, {.listed = 3});
  for (const std::string name : {"A", "B", "C", "D"})
    ifr.repository->create_module("IDL:" + name + ":1.0", name, "1.0")
        ->create_native("IDL:" + name + "/Same:1.0", "Same", "1.0");
  const auto module = IDL::traits<R::ModuleDef>::narrow(ifr.repository->lookup("D"));
  EXPECT_EQ(module->lookup_name("Same", 1, Kind::dk_all, true).size(), 1u);
  EXPECT_TRUE(module->lookup_name("same", 1, Kind::dk_all, true).empty());
  EXPECT_TRUE(module->lookup_name("Same", 1, Kind::dk_Module, true).empty());
  EXPECT_EQ(exception_of([&] { module->lookup_name("Same", 2, Kind::dk_all, true); }), "IMP_LIMIT 0");
}

// Each of the derived interfaces is checked once for each of its bases.
TEST(IfrLimits, AChangeOfABaseLooksAtTheBasesOfAllThatDerive) {
  constexpr int derived = 20;
  IfrServer ifr({}, {.inherited = 250});
  const auto made = [&](const std::string& name, const R::InterfaceDefSeq& bases) {
    return ifr.repository->create_interface("IDL:" + name + ":1.0", name, "1.0", bases);
  };
  const auto other = made("Other", {}), first = made("First", {});
  auto last = first;
  for (int i = 1; i <= derived; ++i) last = made("I" + std::to_string(i), {last});
  first->base_interfaces({other});  // 1 + 2 + ... + 21
  first->base_interfaces({});
  EXPECT_EQ(exception_of([&] { first->base_interfaces({last}); }), "BAD_PARAM 5") << "a circle";
  made("Last", {made("Later", {last})});
  EXPECT_EQ(exception_of([&] { first->base_interfaces({other}); }), "IMP_LIMIT 0");
  EXPECT_TRUE(first->base_interfaces().empty());
}

// Types that many definitions share are short in the store, and long in each TypeCode.
TEST(IfrLimits, OneReplyIsBounded) {
  IfrServer ifr({}, {.reply_bytes = 30'000});
  const auto numbered = [](const std::string& text, int i) { return text + std::to_string(i); };
  R::StructMemberSeq members;
  for (int i = 0; i < 40; ++i) members.push_back({numbered(std::string(50, 'm'), i), {}, ifr.a_long()});
  const auto big = ifr.repository->create_struct("IDL:Big:1.0", "Big", "1.0", members);
  const auto module = ifr.repository->create_module("IDL:A:1.0", "A", "1.0");
  const auto interface = ifr.repository->create_interface("IDL:I:1.0", "I", "1.0", {});
  members.clear();
  for (int i = 0; i < 20; ++i) {
    const std::string name = numbered("b", i);
    module->create_alias("IDL:A/" + name + ":1.0", name, "1.0", big);
    interface->create_attribute("IDL:I/" + name + ":1.0", name, "1.0", big, R::AttributeMode::ATTR_NORMAL);
    members.push_back({name, {}, big});
  }
  const auto bigger = ifr.repository->create_struct("IDL:Bigger:1.0", "Bigger", "1.0", members);
  const auto bad = ifr.repository->create_exception("IDL:Bad:1.0", "Bad", "1.0", {{"b", {}, big}});
  const std::string refused = "IMP_LIMIT 0";
  EXPECT_EQ(exception_of([&] { module->describe_contents(Kind::dk_all, true, -1); }), refused);
  EXPECT_EQ(module->describe_contents(Kind::dk_all, true, 2).size(), 2u);
  EXPECT_EQ(exception_of([&] { interface->describe_interface(); }), refused);
  EXPECT_EQ(interface->contents(Kind::dk_all, true).size(), 20u);
  EXPECT_EQ(exception_of([&] { bigger->members(); }), refused);
  R::ParDescriptionSeq parameters;
  for (const auto& member : members)
    parameters.emplace_back(member.name(), CORBA::typecode_reference(), big, R::ParameterMode::PARAM_IN);
  const auto operation =
      interface->create_operation("IDL:I/o:1.0", "o", "1.0", ifr.primitive(R::PrimitiveKind::pk_void),
                                  R::OperationMode::OP_NORMAL, parameters, {}, {});
  EXPECT_EQ(exception_of([&] { operation->params(); }), refused);
  const auto attribute = IDL::traits<R::ExtInterfaceDef>::narrow(interface)->create_ext_attribute(
      "IDL:I/a:1.0", "a", "1.0", ifr.a_long(), R::AttributeMode::ATTR_NORMAL, {bad}, {bad});
  EXPECT_EQ(attribute->get_exceptions().size(), 1u);
  const R::ExcDescriptionSeq often(20, {"", "IDL:Bad:1.0", "", "", CORBA::typecode_reference()});
  attribute->get_exceptions(often);
  attribute->set_exceptions(often);
  EXPECT_EQ(exception_of([&] { attribute->get_exceptions(); }), refused);
  EXPECT_EQ(exception_of([&] { attribute->set_exceptions(); }), refused);
  EXPECT_EQ(big->type()->member_count(), 40u);
}

TEST(IfrKept, ChangesSurviveARestart) {
  const Folder folder;
  {
    IfrServer server(folder / "ifr.db");
    server.repository->create_module("IDL:M:1.0", "M", "1.0");
  }
  IfrServer server(folder / "ifr.db");
  EXPECT_TRUE(server.repository->lookup("M"));
}

}  // namespace
}  // namespace feature
