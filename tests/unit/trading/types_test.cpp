// Service types in memory.
#include "trading/model/types.h"

#include <gtest/gtest.h>

namespace takt::trading {
namespace {

using Struct = TypeRepository::TypeStruct;

Struct described(const TypeRepository::PropStructSeq& properties, const std::vector<std::string>& supers,
                 Incarnation number = 0) {
  Struct own;
  own.if_name(any_object);
  own.props(properties);
  own.super_types(supers);
  own.incarnation(idl_of(number));
  return own;
}

PropertyType number_property(const std::string& name, PropertyMode mode) {
  return {name, IDL::type_code<std::int32_t>(), mode};
}

struct Types : testing::Test {
  Types() {
    put("Device", described({number_property("weight", PropertyMode::PROP_READONLY)}, {}, 1));
    put("Office", described({}, {}, 2));
    put("Printer",
        described({number_property("pages", PropertyMode::PROP_MANDATORY)}, {"Device", "Office"}, 3));
    put("Laser", described({number_property("weight", PropertyMode::PROP_MANDATORY)}, {"Printer"}, 5));
  }
  void put(const std::string& name, const Struct& own) { book.put(book.made(name, own)); }
  TypeBook book;
};

TEST_F(Types, InheritPropertiesWithTheStrongestMode) {
  const TypePtr laser = book.find("Laser");
  ASSERT_EQ(laser->properties.size(), 2u);
  EXPECT_EQ(laser->property("weight")->mode(), PropertyMode::PROP_MANDATORY_READONLY);
  EXPECT_EQ(laser->property("pages")->mode(), PropertyMode::PROP_MANDATORY);
  EXPECT_EQ(laser->property("colour"), nullptr);
  EXPECT_EQ(laser->ancestors, (std::vector<std::string>{"Device", "Office", "Printer"}));
  EXPECT_EQ(laser->own.props().size(), 1u) << "as it was added";
}

TEST_F(Types, KnowWhatExtendsThem) {
  EXPECT_EQ(book.descendants("Device"), (std::vector<std::string>{"Laser", "Printer"}));
  EXPECT_TRUE(book.descendants("Laser").empty());
  EXPECT_TRUE(book.descendants("nothing").empty());
  book.remove("Laser");
  EXPECT_EQ(book.descendants("Device"), (std::vector<std::string>{"Printer"}));
  EXPECT_EQ(book.find("Laser"), nullptr);
}

TEST_F(Types, HaveTheLastIncarnation) {
  EXPECT_EQ(book.incarnation(), 5u);
  book.remove("Laser");
  EXPECT_EQ(book.incarnation(), 5u) << "it does not come again";
  EXPECT_EQ(incarnation_of(idl_of(0x1'0000'0002)), 0x1'0000'0002u);
}

TEST_F(Types, ReplacedTypesAreNotTwiceBelowTheirBase) {
  auto masked = std::make_shared<ServiceType>(*book.find("Laser"));
  masked->own.masked(true);
  book.put(masked);
  EXPECT_EQ(book.descendants("Printer"), (std::vector<std::string>{"Laser"}));
  EXPECT_TRUE(book.find("Laser")->own.masked());
}

}  // namespace
}  // namespace takt::trading
