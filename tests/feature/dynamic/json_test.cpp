// CORBA values as JSON: every kind there and back, and what wrong JSON gets.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dyn_any.h"
#include "json/text.h"
#include "json/types.h"
#include "json/values.h"
#include "samples.h"
#include "value_kinds.h"

namespace feature {
namespace {

using takt::json::Json;

Json json_of(const CORBA::Any& any) {
  takt::json::Values values({});
  Json json = values.json_of(any);
  takt::json::remove_needless_ids(json);
  return json;
}

CORBA::Any any_from(const std::string& text, const CORBA::typecode_reference& type) {
  const auto json = takt::json::parse(text);
  EXPECT_TRUE(json) << (json ? "" : json.error());
  takt::json::Values values({});
  return values.any_of(json.value_or(Json()), type, "argument 1");
}

// The message of the failure, or "accepted".
std::string fault_in(const std::string& text, const CORBA::typecode_reference& type) {
  try {
    any_from(text, type);
    return "accepted";
  } catch (const takt::json::Failure& failure) {
    return failure.what();
  }
}

// By way of text, the octets and the JSON stay the same.
void expect_lossless(const CORBA::Any& any) {
  const Json json = json_of(any);
  const CORBA::Any again = any_from(json.dump(), any.type());
  EXPECT_EQ(octets_of(again), octets_of(any)) << json.dump();
  EXPECT_EQ(json_of(again), json) << json.dump();
}

template <class T>
void expect_json(const T& value, const std::string& json) {
  EXPECT_EQ(json_of(any_of(value)).dump(), json);
  expect_lossless(any_of(value));
}

const auto longs = takt::cdr::sequence_typecode(takt::cdr::basic_typecode(TCKind::tk_long), 3);

TEST(JsonValues, OfEveryTypeOfTheMappingAreLossless) {
  expect_lossless(any_of(mapping_test::primitives()));
  expect_lossless(any_of(mapping_test::tree()));
  expect_lossless(any_of(mapping_test::everything()));
  expect_lossless(any_of(Types::Point3()));
  expect_lossless(any_of(any_of(any_of(mapping_test::everything()))));
  expect_lossless(CORBA::Any());
}

TEST(JsonValues, HaveTheDocumentedForms) {
  expect_json(true, "true");
  expect_json(std::uint8_t{200}, "200");
  expect_json('x', "\"x\"");
  expect_json(L'\u20ac', "\"\u20ac\"");
  expect_json(std::string("a \"b\""), "\"a \\\"b\\\"\"");
  expect_json(std::wstring(L"caf\u00e9 \U0001F600"), "\"caf\u00e9 \U0001F600\"");
  expect_json(std::vector<std::uint8_t>{1, 2, 3, 255}, "\"AQID/w==\"");
  expect_json(Types::Colour::green, "\"green\"");
  expect_json(Types::Price("-123.45"), "\"-123.45\"");
  Types::Point point;
  point.x(1);
  point.y(-2);
  expect_json(point, "{\"x\":1,\"y\":-2}");
  Types::Number number;
  number.s("three");
  expect_json(number, "{\"discriminator\":3,\"value\":\"three\"}");
  expect_json(any_of(std::int32_t{7}), "{\"type\":\"long\",\"value\":7}");
}

TEST(JsonValues, KeepNumbersThatJsonWouldLose) {
  using Long = std::numeric_limits<std::int64_t>;
  expect_json(Long::max(), "\"9223372036854775807\"");
  expect_json(Long::min(), "\"-9223372036854775808\"");
  expect_json(std::int64_t{9007199254740992}, "9007199254740992");
  expect_json(std::int64_t{9007199254740993}, "\"9007199254740993\"");
  expect_json(std::numeric_limits<std::uint64_t>::max(), "\"18446744073709551615\"");
  expect_json(0.1f, "0.1");
  expect_json(-0.0, "-0.0");
  expect_json(std::numeric_limits<double>::infinity(), "\"Infinity\"");
  expect_json(-std::numeric_limits<float>::infinity(), "\"-Infinity\"");
  for (const double each : {5e-324, 1.7976931348623157e308, 1.0 / 3, -0.0, std::nan("")})
    expect_lossless(any_of(each));
  for (const float each : {1e-45f, 3.40282347e38f, 1.0f / 3, 16777217.0f}) expect_lossless(any_of(each));
  for (const long double each : {1.0L / 3, 3.6e-4951L, 1.18e4932L, -0.0L}) expect_lossless(any_of(each));
}

TEST(JsonValues, KeepBitsThatThisMachineHasNoNumberFor) {
  for (const std::uint8_t low : {0x01, 0x80, 0xff}) {
    auto content = std::make_shared<takt::cdr::AnyContent>();
    content->octets.assign(16, 0x3f);
    content->octets.front() = low;
    expect_lossless(CORBA::Any(takt::cdr::basic_typecode(TCKind::tk_longdouble), std::move(content)));
  }
  const auto nan = takt::cdr::basic_typecode(TCKind::tk_double);
  EXPECT_EQ(json_of(any_from("\"NaN:0xfff8000000000123\"", nan)).dump(), "\"NaN:0xfff8000000000123\"");
  EXPECT_NE(fault_in("\"NaN:0x3ff0000000000000\"", nan), "accepted");  // that is 1.0
}

TEST(JsonValues, KeepStringsThatAreNotUnicode) {
  expect_json(std::string("a\xff"), "{\"base64\":\"Yf8=\"}");
  expect_json('\xe9', "\"\u00e9\"");
}

TEST(JsonValues, OfTypesAreLossless) {
  expect_lossless(any_of(IDL::type_code<Types::Everything>()));
  expect_lossless(any_of(IDL::type_code<Types::Tree>()));
  expect_lossless(any_of(IDL::type_code<Types::Number>()));
  expect_lossless(any_of(IDL::type_code<IDL::traits<::Values::Node>::ref_type>()));
  expect_lossless(any_of(IDL::type_code<IDL::traits<::Values::Further>::ref_type>()));
}

TEST(JsonValues, OfValuetypesKeepSharing) {
  const auto last = mapping_test::node(2);
  ::Values::Holder holder;
  holder.one(mapping_test::node(1, last));
  holder.many({last, last, {}});
  const Json json = json_of(any_of(holder));
  EXPECT_EQ(json["one"]["next"]["$id"], json["many"][0]["$ref"]);
  EXPECT_EQ(json["many"][1], json["many"][0]);
  EXPECT_TRUE(json["many"][2].is_null());
  EXPECT_FALSE(json["one"].contains("$id")) << "nothing refers to it";
  expect_lossless(any_of(holder));
  const auto read = value_in<::Values::Holder>(any_from(json.dump(), IDL::type_code<::Values::Holder>()));
  EXPECT_EQ(read.one()->next(), read.many()[0]);
  EXPECT_EQ(read.many()[0], read.many()[1]);
  EXPECT_EQ(read.one()->next()->number(), 2);
}

constexpr const char* node_in_a_cycle =
    R"({"$id": 5, "number": 1, "name": "a", "next": {"$ref": 5}, "others": []})";

TEST(JsonValues, OfValuetypesMayBeInCycles) {
  const auto type = IDL::type_code<IDL::traits<::Values::Node>::ref_type>();
  takt::json::Values values({});  // takes the cycle apart
  const CORBA::Any any = values.any_of(*takt::json::parse(node_in_a_cycle), type);
  EXPECT_EQ(json_of(any).dump(), R"({"$id":1,"number":1,"name":"a","next":{"$ref":1},"others":[]})");
}

// The values to which an Any of a node refers, which has ended.
std::vector<std::weak_ptr<CORBA::ValueBase>> made_from(const std::string& text) {
  const auto type = IDL::type_code<IDL::traits<::Values::Node>::ref_type>();
  std::vector<std::weak_ptr<CORBA::ValueBase>> made;
  takt::json::Values values({});
  const CORBA::Any any = values.any_of(*takt::json::parse(text), type);
  for (const auto& value : any._content().values) made.push_back(value);
  return made;
}

bool all_gone(const std::vector<std::weak_ptr<CORBA::ValueBase>>& values) {
  EXPECT_FALSE(values.empty());
  return std::ranges::all_of(values, [](const auto& each) { return each.expired(); });
}

TEST(JsonValues, InCyclesAreFreed) {
  const std::string through_another =
      R"({"$id": 5, "number": 1, "name": "a", "others": [],
          "next": {"number": 2, "name": "b", "next": {"$ref": 5}, "others": [{"$ref": 5}]}})";
  const std::string none = R"({"$id": 5, "number": 1, "name": "a", "next": null, "others": []})";
  EXPECT_TRUE(all_gone(made_from(node_in_a_cycle)));
  EXPECT_TRUE(all_gone(made_from(through_another)));
  EXPECT_TRUE(all_gone(made_from(none)));
}

TEST(JsonValues, InCyclesThatTheProgramHoldsStayWhole) {
  const auto type = IDL::type_code<IDL::traits<::Values::Node>::ref_type>();
  IDL::traits<::Values::Node>::ref_type node;
  {
    takt::json::Values values({});
    const CORBA::Any any = values.any_of(*takt::json::parse(node_in_a_cycle), type);
    node = value_in<IDL::traits<::Values::Node>::ref_type>(any);
  }
  EXPECT_EQ(node->next(), node);
  node->next(nullptr);
}

TEST(JsonValues, AFailureInACycleFreesItsValues) {
  const auto type = IDL::type_code<IDL::traits<::Values::Node>::ref_type>();
  takt::json::Values values({});
  const auto json = takt::json::parse(
      R"({"$id": 5, "number": 1, "name": "a", "next": {"$id": 6, "number": 2, "name": "b",
          "next": {"$ref": 5}, "others": [{"$ref": 6}]}, "others": 7})");
  EXPECT_THROW(values.any_of(*json, type), takt::json::Failure);
}

TEST(JsonValues, WithAWrongPlaceNameIt) {
  const auto everything = IDL::type_code<Types::Everything>();
  Json json = json_of(any_of(mapping_test::everything()));
  json["shapes"][2][0]["y"] = "six";
  EXPECT_EQ(fault_in(json.dump(), everything),
            "argument 1: .shapes[2][0].y: expected a number from -2147483648 to 2147483647, found the string "
            "\"six\"");
  const auto point = IDL::type_code<Types::Point>();
  EXPECT_EQ(fault_in("{\"x\": 1}", point), "argument 1: expected the member \"y\", a long, found none");
  EXPECT_EQ(fault_in("{\"x\": 1, \"y\": 2, \"yy\": 3}", point),
            "argument 1: a struct Point has no member \"yy\"; the nearest is \"y\"");
  EXPECT_EQ(fault_in("[1, 2]", point), "argument 1: expected a struct Point, found an array of 2");
  EXPECT_EQ(
      fault_in("\"gren\"", IDL::type_code<Types::Colour>()),
      "argument 1: expected a name of enum Colour, found the string \"gren\"; the nearest is \"green\"");
}

TEST(JsonValues, BeyondTheirTypeAreRefused) {
  const auto basic = [](TCKind kind) { return takt::cdr::basic_typecode(kind); };
  for (const auto& [text, kind] :
       std::vector<std::pair<std::string, TCKind>>{{"256", TCKind::tk_octet},
                                                   {"-1", TCKind::tk_octet},
                                                   {"32768", TCKind::tk_short},
                                                   {"-1", TCKind::tk_ulong},
                                                   {"1.5", TCKind::tk_long},
                                                   {"9223372036854775808", TCKind::tk_longlong},
                                                   {"-1", TCKind::tk_ulonglong},
                                                   {"\"1x\"", TCKind::tk_ulonglong},
                                                   {"\"\"", TCKind::tk_longlong},
                                                   {"1e39", TCKind::tk_float},
                                                   {"\"nan\"", TCKind::tk_double},
                                                   {"1", TCKind::tk_boolean},
                                                   {"\"ab\"", TCKind::tk_char},
                                                   {"\"\u20ac\"", TCKind::tk_char},
                                                   {"\"\"", TCKind::tk_wchar},
                                                   {"\"a\\u0000b\"", TCKind::tk_string},
                                                   {"7", TCKind::tk_string},
                                                   {"\"a\\u0000\"", TCKind::tk_wstring},
                                                   {"0", TCKind::tk_null},
                                                   {"\"nothing\"", TCKind::tk_TypeCode},
                                                   {"{\"type\": \"long\"}", TCKind::tk_any},
                                                   {"\"1e9999\"", TCKind::tk_longdouble}})
    EXPECT_NE(fault_in(text, basic(kind)), "accepted") << text;
  EXPECT_NE(fault_in("[1, 2, 3, 4]", longs), "accepted");
  EXPECT_NE(fault_in("[1, 2]", IDL::type_code<Types::Row>()), "accepted");
  EXPECT_NE(fault_in("\"12.345\"", takt::cdr::fixed_typecode(5, 2)), "accepted");
  EXPECT_NE(fault_in("\"12345\"", takt::cdr::fixed_typecode(5, 2)), "accepted");
  EXPECT_NE(fault_in("{\"discriminator\": 3}", IDL::type_code<Types::Number>()), "accepted");
  EXPECT_NE(fault_in("{\"discriminator\": \"green\", \"value\": 1}", IDL::type_code<Types::Implicit>()),
            "accepted");
}

TEST(JsonValues, OfValuetypesThatDoNotFitAreRefused) {
  const auto node = IDL::type_code<IDL::traits<::Values::Node>::ref_type>();
  EXPECT_NE(fault_in("{\"$ref\": 1}", node), "accepted");
  EXPECT_NE(fault_in("{\"$ref\": \"one\"}", node), "accepted");
  EXPECT_NE(fault_in("{\"$type\": \"long\"}", node), "accepted");
  EXPECT_NE(fault_in("{\"number\": 1}", node), "accepted");
  EXPECT_NE(
      fault_in("{\"word\": \"\", \"values\": []}", IDL::type_code<IDL::traits<::Values::Packed>::ref_type>()),
      "accepted");
}

TEST(JsonTexts, ThatAreNoJsonSayWhere) {
  for (const std::string text :
       {"", " ", "{", "[1,]", "{\"a\":1,\"a\":2}", "nul", "\"\\ud800\"", "1e999", "[1] 2", "\xff"}) {
    const auto json = takt::json::parse(text);
    ASSERT_FALSE(json) << text;
    EXPECT_EQ(json.error().find('\n'), std::string::npos) << json.error();
    EXPECT_FALSE(json.error().empty());
  }
}

TEST(JsonTexts, AreLimited) {
  takt::json::Limits limits;
  limits.depth = 10;
  limits.values = 100;
  limits.bytes = 1000;
  EXPECT_TRUE(takt::json::parse("[[[[[1]]]]]", limits));
  EXPECT_FALSE(takt::json::parse(std::string(100, '[') + std::string(100, ']'), limits));
  EXPECT_FALSE(takt::json::parse(std::string(1001, ' ') + "1", limits));
  std::string many = "[0";
  for (int i = 0; i < 300; ++i) many += ",0";
  EXPECT_FALSE(takt::json::parse(many + "]", limits));
}

TEST(JsonValues, FromHostileAnysAreLimited) {
  takt::json::Context context;
  context.limits.values = 1000;
  auto content = std::make_shared<takt::cdr::AnyContent>();
  content->octets = {255, 255, 255, 127};
  const auto empty = takt::cdr::make_typecode({.kind = TCKind::tk_struct, .id = "IDL:E:1.0", .name = "E"});
  const CORBA::Any any(takt::cdr::sequence_typecode(empty), std::move(content));
  takt::json::Values values(context);
  EXPECT_THROW(values.json_of(any), takt::json::Failure);
}

TEST(JsonBase64, IsStrict) {
  const auto octets = [](const std::string& text) { return takt::json::octets_of_base64(text); };
  EXPECT_EQ(octets("")->size(), 0u);
  EXPECT_EQ(octets("AQ==")->at(0), 1);
  for (const std::string wrong : {"A", "AQ", "AQ=", "AR==", "A===", "====", "AQ=A", "A Q=", "AQ==AQ=="})
    EXPECT_FALSE(octets(wrong)) << wrong;
}

}  // namespace
}  // namespace feature
