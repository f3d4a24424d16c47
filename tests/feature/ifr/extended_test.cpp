// The Ext interfaces of the standard: the exceptions of attributes, and of the initializers of values.
#include <gtest/gtest.h>

#include "served.h"

namespace feature {
namespace {

constexpr const char* idl = R"(
  module M {
    exception Bad { string why; };
    exception Worse {};
    interface I {
      attribute long both getraises (Bad) setraises (Bad, Worse);
      readonly attribute long read_only raises (Worse);
      attribute long plain;
    };
    interface Derived : I {};
    abstract interface A { attribute long a setraises (Bad); };
    valuetype V {
      public long x;
      attribute short s getraises (Bad);
      factory make(in long x) raises (Bad, Worse);
      factory nothing();
    };
  };)";

std::vector<std::string> ids_of(const R::ExcDescriptionSeq& exceptions) {
  std::vector<std::string> ids;
  for (const auto& each : exceptions) ids.push_back(each.id());
  return ids;
}
using Ids = std::vector<std::string>;
const Ids nothing, bad{"IDL:M/Bad:1.0"}, worse{"IDL:M/Worse:1.0"},
    bad_and_worse{"IDL:M/Bad:1.0", "IDL:M/Worse:1.0"};

R::ExcDescriptionSeq by_ids(const Ids& ids) {
  R::ExcDescriptionSeq exceptions;
  for (const std::string& id : ids) exceptions.emplace_back("", id, "", "", CORBA::typecode_reference());
  return exceptions;
}

class IfrExtended : public testing::Test {
 protected:
  IfrExtended() {
    loaded_text(folder_, idl);
    server_ = std::make_unique<IfrServer>(folder_ / "ifr.db");
  }
  template <class T>
  Ref<T> find(const std::string& name) {
    return server_->find<T>(name);
  }
  R::ExtAttributeDescription attribute(const std::string& name) {
    return find<R::ExtAttributeDef>(name)->describe_attribute();
  }

  const Folder folder_;
  std::unique_ptr<IfrServer> server_;
};

TEST_F(IfrExtended, DescribesWhatAttributesRaise) {
  const auto both = attribute("M::I::both");
  EXPECT_EQ(ids_of(both.get_exceptions()), bad);
  EXPECT_EQ(ids_of(both.put_exceptions()), bad_and_worse);
  EXPECT_EQ(both.get_exceptions()[0].type()->member_name(0), "why");
  EXPECT_EQ(ids_of(attribute("M::I::read_only").get_exceptions()), worse);
  EXPECT_EQ(ids_of(attribute("M::I::plain").put_exceptions()), nothing);
  EXPECT_EQ(ids_of(attribute("M::V::s").get_exceptions()), bad);
  const auto full = find<R::ExtInterfaceDef>("M::Derived")->describe_ext_interface();
  ASSERT_EQ(full.attributes().size(), 3u) << "inherited";
  EXPECT_EQ(full.attributes()[0].defined_in(), "IDL:M/I:1.0");
  EXPECT_EQ(ids_of(full.attributes()[0].put_exceptions()), bad_and_worse);
  const auto abstract = find<R::ExtAbstractInterfaceDef>("M::A")->describe_ext_interface();
  EXPECT_EQ(ids_of(abstract.attributes()[0].put_exceptions()), bad);
  EXPECT_EQ(find<R::InterfaceDef>("M::I")->describe_interface().attributes().size(), 3u);
  EXPECT_EQ(loaded_text(folder_, idl).added, 0u) << "the same again";
}

TEST_F(IfrExtended, DescribesWhatInitializersRaise) {
  const auto value = find<R::ExtValueDef>("M::V");
  const auto full = value->describe_ext_value();
  ASSERT_EQ(full.initializers().size(), 2u);
  EXPECT_EQ(full.initializers()[0].name(), "make");
  EXPECT_EQ(ids_of(full.initializers()[0].exceptions()), bad_and_worse);
  EXPECT_EQ(full.initializers()[0].members()[0].name(), "x");
  EXPECT_EQ(ids_of(full.initializers()[1].exceptions()), nothing);
  EXPECT_EQ(full.members().size(), 1u);
  EXPECT_EQ(ids_of(full.attributes()[0].get_exceptions()), bad);
  EXPECT_EQ(value->describe_value().initializers().size(), 2u);
  auto changed = value->ext_initializers();
  changed[1].exceptions(by_ids(worse));
  value->ext_initializers(changed);
  EXPECT_EQ(ids_of(value->ext_initializers()[1].exceptions()), worse);
  value->initializers(value->initializers());
  EXPECT_EQ(ids_of(value->ext_initializers()[0].exceptions()), nothing) << "the plain form has none";
  EXPECT_EQ(value->ext_initializers()[0].name(), "make");
}

TEST_F(IfrExtended, CreatesAndChanges) {
  const auto interface = find<R::ExtInterfaceDef>("M::I");
  const auto a_bad = find<R::ExceptionDef>("M::Bad"), a_worse = find<R::ExceptionDef>("M::Worse");
  const auto created = interface->create_ext_attribute("IDL:M/I/n:1.0", "n", "1.0", server_->a_long(),
                                                       R::AttributeMode::ATTR_NORMAL, {a_bad}, {a_worse});
  EXPECT_EQ(ids_of(created->get_exceptions()), bad);
  EXPECT_EQ(ids_of(created->set_exceptions()), worse);
  created->get_exceptions(by_ids(bad_and_worse));
  created->set_exceptions(by_ids(nothing));
  EXPECT_EQ(ids_of(created->describe_attribute().get_exceptions()), bad_and_worse);
  EXPECT_EQ(ids_of(created->describe_attribute().put_exceptions()), nothing);
  EXPECT_EQ(exception_of([&] { created->get_exceptions(by_ids({"IDL:M/None:1.0"})); }), "BAD_PARAM 0");
  EXPECT_EQ(exception_of([&] { created->get_exceptions(by_ids({"IDL:M/I:1.0"})); }), "BAD_PARAM 0");
  created->mode(R::AttributeMode::ATTR_READONLY);
  EXPECT_EQ(exception_of([&] { created->set_exceptions(by_ids(bad)); }), "BAD_PARAM 0");
  const auto value =
      find<R::ModuleDef>("M")->create_ext_value("IDL:M/W:1.0", "W", "1.0", false, false, {}, false, {}, {},
                                                {{{{"x", {}, server_->a_long()}}, by_ids(worse), "make"}});
  EXPECT_EQ(ids_of(value->describe_ext_value().initializers()[0].exceptions()), worse);
  const auto of_value = value->create_ext_attribute("IDL:M/W/a:1.0", "a", "1.0", server_->a_long(),
                                                    R::AttributeMode::ATTR_NORMAL, {a_bad}, {});
  EXPECT_EQ(ids_of(of_value->get_exceptions()), bad);
  EXPECT_EQ(exception_of([&] { a_worse->destroy(); }), "BAD_INV_ORDER 1");
  EXPECT_EQ(exception_of([&] {
              interface->create_ext_attribute("IDL:M/I/o:1.0", "o", "1.0", server_->a_long(),
                                              R::AttributeMode::ATTR_READONLY, {}, {a_bad});
            }),
            "BAD_PARAM 0");
}

TEST_F(IfrExtended, ObjectsHaveTheExtInterfaces) {
  const auto is = [&](const std::string& name, const std::string& interface) {
    return server_->repository->lookup(name)->_is_a("IDL:omg.org/CORBA/" + interface + ":1.0");
  };
  EXPECT_TRUE(is("M::I", "ExtInterfaceDef"));
  EXPECT_TRUE(is("M::I", "InterfaceDef"));
  EXPECT_TRUE(is("M::I", "InterfaceAttrExtension"));
  EXPECT_TRUE(is("M::A", "ExtAbstractInterfaceDef"));
  EXPECT_TRUE(is("M::V", "ExtValueDef"));
  EXPECT_TRUE(is("M::I::both", "ExtAttributeDef"));
  EXPECT_FALSE(is("M::V", "ExtInterfaceDef"));
}

}  // namespace
}  // namespace feature
