// Descriptions of interfaces by the server's own skeletons (-ORBReflection).
#include "reflection.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/encoder.h>
#include <takt/dynamic/request.h>
#include <takt/dynamic/server_request.h>
#include <takt/orb/parts.h>

#include "abstractS.h"
#include "everyS.h"
#include "objectsS.h"
#include "valuesS.h"

void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace feature {
namespace {

using Takt::Reflection::AttributeMode;
using Takt::Reflection::OperationMode;
using Takt::Reflection::ParameterMode;

// A servant of any interface, for its description alone.
class OnlyDescribed final : public virtual PortableServer::DynamicImplementation {
 public:
  explicit OnlyDescribed(std::string id) : id_(std::move(id)) {}
  void invoke(IDL::traits<CORBA::ServerRequest>::ref_type) override { throw CORBA::NO_IMPLEMENT(); }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 IDL::traits<PortableServer::POA>::ref_type) override {
    return id_;
  }

 private:
  const std::string id_;
};

std::vector<std::uint8_t> octets_of(const CORBA::typecode_reference& type) {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder encoder(buffer, takt::cdr::Format{});
  takt::cdr::write_typecode(encoder, type);
  std::vector<takt::ByteView> pieces;
  buffer.gather(pieces);
  std::vector<std::uint8_t> octets;
  for (const auto piece : pieces) octets.insert(octets.end(), piece.begin(), piece.end());
  return octets;
}

class Reflection : public testing::Test {
 protected:
  // Makes the linker take the skeleton from its library.
  template <class Skeleton>
  static void link(Skeleton* never) {
    Skeleton* volatile kept = never;
    if (Skeleton* const skeleton = kept) skeleton->Skeleton::_repository_id();
  }
  template <class Interface>
  Description description_of() {
    link<typename CORBA::servant_traits<Interface>::base_type>(nullptr);
    const auto servant = CORBA::make_reference<OnlyDescribed>(Interface::_interface_repository_id());
    return interface_of(orbs_.publish<CORBA::Object>(servant))->describe_interface();
  }

  ServerAndClient orbs_{{"-ORBReflection", "on"}};
};

TEST_F(Reflection, DescribesAServantsInterface) {
  const DefRef def = interface_of(orbs_.echo);
  ASSERT_TRUE(def);
  EXPECT_EQ(def->def_kind(), Takt::Reflection::DefinitionKind::dk_Interface);
  EXPECT_EQ(def->id(), "IDL:Calls/Echo:1.0");
  EXPECT_EQ(def->name(), "Echo");
  EXPECT_EQ(def->version(), "1.0");
  EXPECT_EQ(def->absolute_name(), "::Calls::Echo");
  EXPECT_TRUE(def->type()->equal(Calls::_tc_Echo));
  EXPECT_TRUE(def->_is_a("IDL:omg.org/CORBA/Contained:1.0"));
  EXPECT_FALSE(def->_is_a("IDL:Calls/Echo:1.0"));
  EXPECT_FALSE(def->_non_existent());
  EXPECT_EQ(def->_repository_id(), "IDL:omg.org/CORBA/InterfaceDef:1.0");

  const Description description = def->describe_interface();
  EXPECT_EQ(description.name(), "Echo");
  EXPECT_EQ(description.id(), "IDL:Calls/Echo:1.0");
  EXPECT_EQ(description.defined_in(), "IDL:Calls:1.0");
  EXPECT_EQ(description.version(), "1.0");
  EXPECT_EQ(description.base_interfaces(), std::vector<std::string>{"IDL:Calls/Base:1.0"});
  EXPECT_TRUE(description.type()->equal(Calls::_tc_Echo));
  EXPECT_EQ(description.operations().size(), 15u);
}

TEST_F(Reflection, HasTheOperationsOfTheIdl) {
  const Description echo = interface_of(orbs_.echo)->describe_interface();
  const auto& name = operation_of(echo, "name");
  EXPECT_EQ(name.id(), "IDL:Calls/Base/name:1.0");
  EXPECT_EQ(name.defined_in(), "IDL:Calls/Base:1.0");
  EXPECT_TRUE(name.result()->equal(IDL::type_code<std::string>()));

  const auto& sum = operation_of(echo, "sum");
  EXPECT_EQ(sum.mode(), OperationMode::OP_NORMAL);
  EXPECT_EQ(sum.result()->kind(), CORBA::TCKind::tk_double);
  ASSERT_EQ(sum.parameters().size(), 3u);
  EXPECT_EQ(sum.parameters()[0].name(), "values");
  EXPECT_EQ(sum.parameters()[0].mode(), ParameterMode::PARAM_IN);
  EXPECT_TRUE(sum.parameters()[0].type()->equal(Calls::_tc_Points));
  EXPECT_FALSE(sum.parameters()[0].type_def());
  EXPECT_EQ(sum.parameters()[1].mode(), ParameterMode::PARAM_OUT);
  EXPECT_EQ(sum.parameters()[1].type()->kind(), CORBA::TCKind::tk_wstring);
  EXPECT_EQ(operation_of(echo, "join").parameters()[1].mode(), ParameterMode::PARAM_INOUT);

  EXPECT_EQ(operation_of(echo, "note").mode(), OperationMode::OP_ONEWAY);
  EXPECT_EQ(operation_of(echo, "nothing").result()->kind(), CORBA::TCKind::tk_void);
  EXPECT_TRUE(operation_of(echo, "itself").result()->equal(Calls::_tc_Echo));

  const auto& refuse = operation_of(echo, "refuse");
  ASSERT_EQ(refuse.exceptions().size(), 1u);
  EXPECT_EQ(refuse.exceptions()[0].name(), "Refused");
  EXPECT_EQ(refuse.exceptions()[0].id(), "IDL:Calls/Refused:1.0");
  EXPECT_EQ(refuse.exceptions()[0].defined_in(), "IDL:Calls:1.0");
  EXPECT_EQ(refuse.exceptions()[0].version(), "1.0");
  EXPECT_TRUE(refuse.exceptions()[0].type()->equal(Calls::_tc_Refused));

  const auto& level = attribute_of(echo, "level");
  EXPECT_EQ(level.id(), "IDL:Calls/Echo/level:1.0");
  EXPECT_EQ(level.mode(), AttributeMode::ATTR_NORMAL);
  EXPECT_EQ(level.type()->kind(), CORBA::TCKind::tk_long);
}

TEST_F(Reflection, DescribesExceptionsOfAttributesInTheExtendedForm) {
  link<CORBA::servant_traits<Objects::Risky>::base_type>(nullptr);
  const auto servant = CORBA::make_reference<OnlyDescribed>(Objects::Risky::_interface_repository_id());
  const auto definition = orbs_.publish<CORBA::Object>(servant)->_get_interface();
  const auto extension = IDL::traits<Takt::Reflection::InterfaceAttrExtension>::narrow(definition);
  ASSERT_TRUE(extension);
  const auto risky = extension->describe_ext_interface();
  EXPECT_EQ(risky.id(), "IDL:Objects/Risky:1.0");
  EXPECT_EQ(risky.operations().size(), 2u);
  ASSERT_EQ(risky.attributes().size(), 1u);
  const auto& value = risky.attributes()[0];
  EXPECT_EQ(value.name(), "value");
  EXPECT_EQ(value.mode(), AttributeMode::ATTR_NORMAL);
  ASSERT_EQ(value.get_exceptions().size(), 1u);
  EXPECT_EQ(value.get_exceptions()[0].name(), "Plain");
  EXPECT_EQ(value.get_exceptions()[0].defined_in(), "IDL:Types:1.0");
  EXPECT_TRUE(value.get_exceptions()[0].type()->equal(Types::_tc_Plain));
  ASSERT_EQ(value.put_exceptions().size(), 1u);
  EXPECT_EQ(value.put_exceptions()[0].id(), "IDL:Types/Failed:1.0");
  EXPECT_EQ(value.put_exceptions()[0].version(), "1.0");
  EXPECT_TRUE(value.put_exceptions()[0].type()->equal(Types::_tc_Failed));
  // The plain form has the attribute without them.
  const auto plain = description_of<Objects::Risky>();
  EXPECT_EQ(attribute_of(plain, "value").type()->kind(), CORBA::TCKind::tk_long);
}

TEST_F(Reflection, TheExtendedFormEqualsThePlainOneElsewhere) {
  const DefRef definition = interface_of(orbs_.echo);
  const Description plain = definition->describe_interface();
  const auto extended =
      IDL::traits<Takt::Reflection::InterfaceAttrExtension>::narrow(definition)->describe_ext_interface();
  EXPECT_EQ(extended.name(), plain.name());
  EXPECT_EQ(extended.base_interfaces(), plain.base_interfaces());
  EXPECT_TRUE(extended.type()->equal(plain.type()));
  ASSERT_EQ(extended.operations().size(), plain.operations().size());
  for (std::size_t i = 0; i < plain.operations().size(); ++i)
    EXPECT_EQ(extended.operations()[i].id(), plain.operations()[i].id());
  ASSERT_EQ(extended.attributes().size(), plain.attributes().size());
  for (const auto& each : extended.attributes()) {
    EXPECT_TRUE(each.get_exceptions().empty());
    EXPECT_TRUE(each.put_exceptions().empty());
  }
}

TEST_F(Reflection, KnowsBasesAndInheritsOnce) {
  const Description both = description_of<Objects::Both>();
  EXPECT_EQ(both.base_interfaces(),
            (std::vector<std::string>{"IDL:Objects/Left:1.0", "IDL:Objects/Right:1.0"}));
  EXPECT_EQ(std::ranges::count(both.operations(), std::string("keep"),
                               [](const auto& each) { return each.name(); }),
            1);
  EXPECT_EQ(operation_of(both, "go_left").defined_in(), "IDL:Objects/Left:1.0");
  EXPECT_EQ(attribute_of(both, "present_mood").mode(), AttributeMode::ATTR_READONLY);
  EXPECT_EQ(operation_of(both, "wait_for").contexts(), std::vector<std::string>{"user*"});
  EXPECT_EQ(operation_of(both, "keep").exceptions()[0].defined_in(), "IDL:Objects/Base:1.0");

  const DefRef def = interface_of(orbs_.echo);
  EXPECT_TRUE(def->is_a("IDL:Calls/Echo:1.0"));
  EXPECT_TRUE(def->is_a("IDL:Calls/Base:1.0"));
  EXPECT_TRUE(def->is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(def->is_a("IDL:Objects/Left:1.0"));
}

// The compiler writes these TypeCodes, and generated code makes the others.
TEST_F(Reflection, ItsTypeCodesAreThoseOfGeneratedCode) {
  const Description both = description_of<Objects::Both>();
  const auto& take = operation_of(both, "take");
  EXPECT_TRUE(take.parameters()[0].type()->equal(Types::_tc_Everything));
  EXPECT_TRUE(take.parameters()[1].type()->equal(Types::_tc_Matrix));
  EXPECT_TRUE(attribute_of(both, "points").type()->equal(Types::_tc_Points));
  EXPECT_TRUE(operation_of(both, "poke").parameters()[0].type()->equal(Types::_tc_Colour));
  EXPECT_TRUE(operation_of(both, "keep").parameters()[1].type()->equal(Objects::Base::_tc_Notes));
  EXPECT_EQ(operation_of(both, "anything").result()->id(), "IDL:omg.org/CORBA/Object:1.0");
  EXPECT_TRUE(attribute_of(description_of<Objects::Repository>(), "changed")
                  .type()
                  ->equal(Objects::Repository::_tc_Since));
  EXPECT_TRUE(operation_of(description_of<Objects::Risky>(), "first")
                  .exceptions()[0]
                  .type()
                  ->equal(Types::_tc_Failed));

  const Description every = description_of<Every::Type>();
  const auto type = [&](const std::string& name) { return attribute_of(every, name).type(); };
  EXPECT_TRUE(type("tree")->equal(Types::_tc_Tree));
  EXPECT_TRUE(type("trees")->equal(Types::_tc_Trees));
  EXPECT_TRUE(type("number")->equal(Types::_tc_Number));
  EXPECT_TRUE(type("implied")->equal(Types::_tc_Implicit));
  EXPECT_TRUE(type("covering")->equal(Types::_tc_Covered));
  EXPECT_TRUE(type("character")->equal(Types::_tc_Letter));
  EXPECT_TRUE(type("within")->equal(Types::_tc_Inner));
  EXPECT_TRUE(type("nodes")->equal(Types::_tc_Node));
  EXPECT_TRUE(type("flags")->equal(Types::_tc_Bits));
  EXPECT_TRUE(type("spatial")->equal(Types::_tc_Point3));
  EXPECT_TRUE(type("price_tag")->equal(Types::_tc_Price));
  EXPECT_TRUE(type("by_name")->equal(Types::_tc_Ages));
  EXPECT_TRUE(type("anything")->equal(IDL::type_code<CORBA::Any>()));
  EXPECT_TRUE(type("described")->equal(IDL::type_code<CORBA::typecode_reference>()));
  EXPECT_TRUE(type("base_value")->equal(CORBA::ValueBase::_type_code()));
  EXPECT_TRUE(type("nested")->equal(Every::_tc_Outer));
  EXPECT_TRUE(type("inner_alone")->equal(Every::_tc_Inside));
  EXPECT_TRUE(type("broad")->equal(Every::_tc_Wide));
  EXPECT_TRUE(type("ring")->equal(Values::_tc_Node));
  EXPECT_TRUE(type("further")->equal(Values::_tc_Further));
  EXPECT_TRUE(type("person")->equal(Values::_tc_Person));
  EXPECT_TRUE(type("packed")->equal(Values::_tc_Packed));
  EXPECT_TRUE(type("boxed")->equal(Values::_tc_Text));
  EXPECT_TRUE(type("parrot")->equal(Values::_tc_Parrot));
  EXPECT_EQ(octets_of(type("further")), octets_of(Values::_tc_Further));
  EXPECT_EQ(octets_of(type("nodes")), octets_of(Types::_tc_Node));
}

TEST_F(Reflection, DescribesAbstractBasesWithTheirHeirs) {
  const Description window = description_of<Shapes::Window>();
  EXPECT_EQ(window.base_interfaces(), std::vector<std::string>{"IDL:Shapes/Scaled:1.0"});
  EXPECT_EQ(operation_of(window, "describe").defined_in(), "IDL:Shapes/Described:1.0");
  EXPECT_EQ(operation_of(window, "describe").id(), "IDL:Shapes/Described/describe:1.0");
  EXPECT_TRUE(operation_of(window, "scale").exceptions()[0].type()->equal(Shapes::_tc_Refused));
  EXPECT_EQ(attribute_of(window, "kind").mode(), AttributeMode::ATTR_READONLY);
  EXPECT_TRUE(operation_of(description_of<Shapes::Gallery>(), "repack").result()->equal(Shapes::_tc_Set));
}

// An optional member is a union with a boolean, as it is sent.
TEST_F(Reflection, OptionalMembersAreUnions) {
  const auto maybe = attribute_of(description_of<Every::Type>(), "maybe").type();
  ASSERT_EQ(maybe->member_count(), 3u);
  const auto number = maybe->member_type(0);
  ASSERT_EQ(number->kind(), CORBA::TCKind::tk_union);
  EXPECT_EQ(number->discriminator_type()->kind(), CORBA::TCKind::tk_boolean);
  EXPECT_EQ(number->member_type(0)->kind(), CORBA::TCKind::tk_long);
  EXPECT_EQ(maybe->member_type(2)->kind(), CORBA::TCKind::tk_long);
}

TEST_F(Reflection, AnInterfaceWithoutSkeletonHasNone) {
  const auto unknown = CORBA::make_reference<OnlyDescribed>("IDL:Not/Here:1.0");
  try {
    orbs_.publish<CORBA::Object>(unknown)->_get_interface();
    FAIL() << "it has an interface";
  } catch (const CORBA::INTF_REPOS& refused) {
    EXPECT_EQ(refused.minor(), CORBA::omg_minor(2));
  }
}

// A repository's other operations.
TEST_F(Reflection, IsNoRepository) {
  const DefRef def = interface_of(orbs_.echo);
  for (const char* operation : {"destroy", "contents", "lookup", "create_operation", "_set_id", "describe",
                                "_get_containing_repository", "_get_base_interfaces"}) {
    const auto request = def->_request(operation);
    EXPECT_THROW(request->invoke(), CORBA::NO_IMPLEMENT) << operation;
  }
  EXPECT_THROW(def->_request("greet")->invoke(), CORBA::BAD_OPERATION);
  EXPECT_THROW(def->_request("_get_greeting")->invoke(), CORBA::BAD_OPERATION);
  EXPECT_THROW(def->_request("is_a")->invoke(), CORBA::MARSHAL);
}

TEST_F(Reflection, DefinitionsAreDescribedToo) {
  const DefRef def = interface_of(orbs_.echo);
  try {
    const DefRef of_definitions = interface_of(def);
    EXPECT_EQ(of_definitions->describe_interface().name(), "InterfaceDef");
  } catch (const CORBA::INTF_REPOS& refused) {  // if its skeleton is not linked
    EXPECT_EQ(refused.minor(), CORBA::omg_minor(2));
  }
}

TEST_F(Reflection, AClientInTheSameProcessIsAnswered) {
  const auto echo = orbs_.server->string_to_object(orbs_.ior);
  EXPECT_EQ(interface_of(echo)->describe_interface().name(), "Echo");
}

TEST_F(Reflection, LocalObjectsHaveNone) {
  EXPECT_THROW(orbs_.server->resolve_initial_references("RootPOA")->_get_interface(), CORBA::NO_IMPLEMENT);
}

// The adapter of definitions is made by the first of several requests at once.
TEST_F(Reflection, ManyMayAskAtOnce) {
  std::atomic<int> described{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back(
          [&] { described += interface_of(orbs_.echo)->describe_interface().name() == "Echo"; });
  }
  EXPECT_EQ(described, 8);
}

// A client that reaches the server can make any key.
TEST_F(Reflection, ADefinitionOfNoInterfaceDoesNotExist) {
  (void)interface_of(orbs_.echo);
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(orbs_.server->resolve_initial_references("RootPOA"));
  const auto poa = root->find_POA("TaktInterfaces", false);
  for (const std::string& id : {std::string("IDL:Not/Here:1.0"), std::string(), std::string("\0:", 2)}) {
    const auto forged = poa->create_reference_with_id(
        {id.begin(), id.end()}, Takt::Reflection::InterfaceDef::_interface_repository_id());
    const DefRef def = IDL::traits<Takt::Reflection::InterfaceDef>::narrow(
        orbs_.client->string_to_object(orbs_.server->object_to_string(forged)));
    EXPECT_TRUE(def->_non_existent());
    EXPECT_THROW(def->describe_interface(), CORBA::INTF_REPOS);
    EXPECT_THROW(def->name(), CORBA::INTF_REPOS);
    EXPECT_THROW(def->type(), CORBA::INTF_REPOS);
    EXPECT_FALSE(def->is_a("IDL:Calls/Echo:1.0"));
  }
}

TEST_F(Reflection, TheOptionIsOfOneOrb) {
  ServerAndClient others;
  EXPECT_THROW(others.echo->_get_interface(), CORBA::INTF_REPOS);
  EXPECT_TRUE(interface_of(orbs_.echo));
}

// An adapter of the program that has the name.
TEST_F(Reflection, TheNameOfItsAdapterMayBeTaken) {
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(orbs_.server->resolve_initial_references("RootPOA"));
  const auto taken = root->create_POA("TaktInterfaces", nullptr, {});
  EXPECT_THROW(orbs_.echo->_get_interface(), CORBA::OBJ_ADAPTER);
  taken->destroy(false, true);
  EXPECT_TRUE(interface_of(orbs_.echo));
}

TEST_F(Reflection, OlderVersionsOfGiopCarryDescriptions) {
  for (const char* version : {"1.0", "1.1"}) {
    const auto client = make_orb({"-ORBGIOPVersion", version}, version);
    const auto echo = client->string_to_object(orbs_.ior);
    EXPECT_EQ(interface_of(echo)->describe_interface().operations().size(), 15u) << version;
    client->destroy();
  }
}

// A servant may know its definition itself.
class KnowsItself final : public EchoServant {
 public:
  CORBA::object_reference<CORBA::Object> _get_interface() override { return definition; }
  CORBA::object_reference<CORBA::Object> definition;
};

TEST_F(Reflection, AServantMayOverrideIt) {
  const auto servant = CORBA::make_reference<KnowsItself>();
  const auto object = orbs_.publish<CORBA::Object>(servant);
  try {
    object->_get_interface();
    FAIL() << "nil was sent";
  } catch (const CORBA::INTF_REPOS& refused) {
    EXPECT_EQ(refused.minor(), CORBA::omg_minor(1));
  }
  servant->definition = orbs_.server->string_to_object(orbs_.ior);
  EXPECT_TRUE(object->_get_interface()->_is_equivalent(orbs_.echo));
}

TEST(ReflectionOff, ThereIsNoDefinition) {
  ServerAndClient orbs;
  try {
    orbs.echo->_get_interface();
    FAIL() << "it has an interface";
  } catch (const CORBA::INTF_REPOS& refused) {
    EXPECT_EQ(refused.minor(), CORBA::omg_minor(1));
  }
}

}  // namespace
}  // namespace feature
