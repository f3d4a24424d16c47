// The Trading Object Service 1.0 of the OMG, row by row: the constraint language, preferences,
// policies and their limits. The rows also run against another trader, whose Lookup's reference is in
// TAKT_CONFORMANCE_TRADER and which has no types yet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "../rows.h"
#include "served.h"

namespace feature {
namespace {

using CosTrading::Admin;
using CosTrading::Lookup;
using CosTrading::Register;

// A trader with five printers of three types. Another trader is emptied of them at the end.
class Market {
 public:
  Market() {
    const char* other = std::getenv("TAKT_CONFORMANCE_TRADER");
    if (other == nullptr) own_ = std::make_unique<TradingServer>();
    orb_ = make_orb({"-ORBRoundTripTimeout", "20s"}, "conformance");
    lookup = other != nullptr ? IDL::traits<Lookup>::narrow(orb_->string_to_object(other)) : own_->lookup;
    registry = lookup->register_if();
    types = IDL::traits<Types>::narrow(lookup->type_repos());
    types->add_type("Printer", any_object,
                    {property_type<std::string>("id", Mode::PROP_MANDATORY),
                     property_type<std::int32_t>("pages", Mode::PROP_MANDATORY),
                     property_type<std::int32_t>("floor", Mode::PROP_READONLY),
                     property_type<double>("price"), property_type<bool>("colour"),
                     property_type<std::string>("site"), property_type<std::vector<std::string>>("formats"),
                     property_type<std::vector<std::int32_t>>("trays"), property_type<char>("class")},
                    {});
    types->add_type("Laser", any_object, {}, {"Printer"});
    types->add_type("FastLaser", any_object, {}, {"Laser"});
    using Texts = std::vector<std::string>;
    using Numbers = std::vector<std::int32_t>;
    add("Printer", "a", 10,
        {property("floor", std::int32_t{1}), property("site", std::string("north wing")),
         property("formats", Texts{"A4", "A3"}), property("class", 'x')});
    add("Printer", "b", 30, {property("price", 2.5), property("trays", Numbers{1, 3})});
    add("Printer", "c", 20,
        {property("floor", std::int32_t{2}), property("colour", true),
         property("site", std::string("o'hara\\1"))});
    add("Laser", "d", 40, {property("colour", false), property("price", -1.5)});
    add("FastLaser", "e", -5, {property("site", std::string()), property("formats", Texts{})});
  }
  ~Market() {
    for (const std::string& each : offers_) registry->withdraw(each);
    for (const char* each : {"FastLaser", "Laser", "Printer"}) types->remove_type(each);
    orb_->destroy();
  }
  // The ids that a query finds, then in brackets the limits that it has applied; or its exception.
  std::string answer(const Asked& asked) const {
    std::string text;
    const std::string thrown = exception_of([&] {
      const Answered answered = ask(*lookup, asked);
      text = ids_of(answered.offers);
      for (const std::string& each : answered.limits) text += " [" + each + "]";
    });
    return thrown == "nothing" ? text : thrown;
  }

  CORBA::object_reference<Lookup> lookup;
  CORBA::object_reference<Register> registry;
  CORBA::object_reference<Types> types;

 private:
  void add(const std::string& type, const std::string& id, std::int32_t pages, CosTrading::PropertySeq more) {
    more.push_back(property("id", id));
    more.push_back(property("pages", pages));
    offers_.push_back(
        registry->_cxx_export(orb_->string_to_object("corbaloc:iiop:1.2@127.0.0.1:9/" + id), type, more));
  }

  std::unique_ptr<TradingServer> own_;
  Orb orb_;
  std::vector<std::string> offers_;
};

struct TextRow {
  const char* row;
  const char* text;
  const char* found;
};

constexpr const char* illegal = "CosTrading::IllegalConstraint";
constexpr const char* illegal_preference = "CosTrading::Lookup::IllegalPreference";

// Sheets services 5 and services-more 3 (grammar) and 6.
constexpr TextRow constraints[] = {
    {"empty", "", "a b c d e"},
    {"TRUE", "TRUE", "a b c d e"},
    {"FALSE", "FALSE", ""},
    {"==", "pages == 10", "a"},
    {"!=", "pages != 10", "b c d e"},
    {"<", "pages < 10", "e"},
    {"<=", "pages <= 10", "a e"},
    {">", "pages > 30", "d"},
    {">=", "pages >= 30", "b d"},
    {"numbers of different types compare", "price == 2.5 or pages == 20.0", "b"},
    {"numbers of different types compare", "pages < 10.5", "a e"},
    {"a literal may be on the left", "10 == pages", "a"},
    {"negative literals", "pages == -5", "e"},
    {"negative literals", "price < 0 and price > -2", "d"},
    {"unary +", "pages == +10", "a"},
    {"exponents", "pages == 1e1", "a"},
    {"a fraction without digits before the point", "price > .5", "b"},
    {"strings", "id == 'a'", "a"},
    {"strings are ordered by octets", "id < 'c'", "a b"},
    {"strings: case counts", "id == 'A'", ""},
    {"strings: \\' and \\\\", "site == 'o\\'hara\\\\1'", "c"},
    {"strings: empty", "site == ''", "e"},
    {"characters", "class == 'x'", "a"},
    {"booleans", "colour == TRUE", "c"},
    {"booleans", "colour == FALSE", "d"},
    {"booleans are ordered, FALSE first", "colour < TRUE", "d"},
    {"a boolean property alone", "colour", "c"},
    {"not", "not colour", "d"},
    {"not of a comparison", "not (pages > 10)", "a e"},
    {"not binds tighter than a comparison", "not colour == TRUE", "d"},
    {"not not", "not not colour", "c"},
    {"~: the left occurs in the right", "'wing' ~ site", "a"},
    {"~: all", "'' ~ site", "a c e"},
    {"~: not the other way", "site ~ 'north wing of all'", "a e"},
    {"~ binds tighter than ==", "'wing' ~ site == TRUE", "a"},
    {"in a sequence of strings", "'A3' in formats", "a"},
    {"in a sequence of numbers", "3 in trays", "b"},
    {"in: no such element", "2 in trays", ""},
    {"in: an expression on the left", "1 + 2 in trays", "b"},
    {"in binds weaker than ~, tighter than ==", "3 in trays == TRUE", "b"},
    {"in what is no sequence", "10 in pages", ""},
    {"+", "pages + 5 == 15", "a"},
    {"-", "pages - 5 == 5", "a"},
    {"*", "pages * 2 == 60", "b"},
    {"/", "pages / 4 == 2.5", "a"},
    {"* before +", "pages + 2 * 5 == 20", "a"},
    {"- and / from left to right", "pages - 4 - 1 == 5 and pages / 2 / 5 == 1", "a"},
    {"parentheses", "(pages + 2) * 5 == 60", "a"},
    {"sums of properties", "pages + floor == 22", "c"},
    {"division by zero", "pages / 0 == 1", ""},
    {"and before or", "id == 'a' or id == 'b' and pages == 20", "a"},
    {"or", "(id == 'a' or id == 'b') and pages == 30", "b"},
    {"or ends at its first true operand", "pages > 0 or floor > 0", "a b c d"},
    {"and ends at its first false operand", "id == 'a' and floor == 1", "a"},
    {"an absent property is no match", "floor == 1 or pages == 30", "a"},
    {"an absent property is no match under not", "not (floor == 1)", "c"},
    {"exist", "exist floor", "a c"},
    {"not exist", "not exist floor", "b d e"},
    {"exist before its property", "exist floor and floor > 1", "c"},
    {"exist: a property that no offer has", "exist nothing", ""},
    {"types that do not compare", "pages == '10'", ""},
    {"types that do not compare", "colour == 1", ""},
    {"no blanks", "pages>=30and colour==FALSE", "d"},
    {"blanks", "\t pages \n ==  10 ", "a"},
    {"key words are lower case", "pages == 10 AND id == 'a'", illegal},
    {"key words are lower case", "Not colour", illegal},
    {"true is a name", "colour == true", ""},
    {"a backslash makes a name of a key word", "exist \\and", ""},
    {"one comparison", "1 < pages < 20", illegal},
    {"a number", "1", illegal},
    {"a string", "'text'", illegal},
    {"a sum", "pages + 1", illegal},
    {"an operator without its operand", "pages >", illegal},
    {"an operator without its operand", "and pages > 1", illegal},
    {"an operator of another language", "pages = 10", illegal},
    {"an operator of another language", "pages <> 10", illegal},
    {"an operator of another language", "pages % 2 == 0", illegal},
    {"an open parenthesis", "(pages > 1", illegal},
    {"a closed parenthesis", "pages > 1)", illegal},
    {"an open string", "id == 'a", illegal},
    {"in takes the name of a property", "1 in (trays)", illegal},
    {"in takes the name of a property", "1 in 2", illegal},
    {"exist takes the name of a property", "exist 'floor'", illegal},
    {"exist takes the name of a property", "exist (floor)", illegal},
    {"$ is of events", "$pages == 10", illegal},
    {"components are of events", "trays[0] == 1", illegal},
    {"components are of events", "trays._length == 2", illegal},
    {"default is of events", "default pages", illegal},
    {"two constraints", "pages > 1 pages > 1", illegal},
    {"a preference is none", "max pages", illegal},
    {"a name does not begin with _ or a digit", "1pages == 10", illegal},
};

constexpr TextRow preferences[] = {
    {"none is first", "", "a b c d e"},
    {"first: the order of the search", "first", "a b c d e"},
    {"max", "max pages", "d b c a e"},
    {"min", "min pages", "e a c b d"},
    {"max of an expression", "max (0 - pages) * 2", "e a c b d"},
    {"max: what cannot be computed comes last", "max price", "b d a c e"},
    {"min: what cannot be computed comes last", "min floor", "a c b d e"},
    {"max of a division by zero", "max pages / 0", "a b c d e"},
    {"with: true ones first", "with pages > 15", "b c d a e"},
    {"with: what cannot be computed comes last", "with colour", "c d a b e"},
    {"with exist", "with exist floor", "a c b d e"},
    {"blanks", "  max   pages ", "d b c a e"},
    {"key words are lower case", "MAX pages", illegal_preference},
    {"max needs an expression", "max", illegal_preference},
    {"max of a boolean", "max pages > 1", illegal_preference},
    {"max of a string", "max 'x'", illegal_preference},
    {"with a number", "with 1", illegal_preference},
    {"with needs a constraint", "with", illegal_preference},
    {"first takes nothing", "first pages", illegal_preference},
    {"random takes nothing", "random 1", illegal_preference},
    {"an expression alone", "pages", illegal_preference},
    {"another word", "best pages", illegal_preference},
};

TEST(TradingRows, Constraints) {
  const Market market;
  for (const TextRow& each : constraints)
    expect_row(each.row, each.text, each.found, market.answer({.constraint = each.text}));
}

TEST(TradingRows, Preferences) {
  const Market market;
  for (const TextRow& each : preferences)
    expect_row(each.row, each.text, each.found, market.answer({.preference = each.text}));
  std::string letters = market.answer({.preference = "random"});
  std::ranges::sort(letters);
  EXPECT_EQ(letters, "    abcde") << "random: each offer once";
}

struct PolicyRow {
  const char* row;
  CosTrading::PolicySeq policies;
  const char* found;
};

TEST(TradingRows, Policies) {
  const Market market;
  constexpr std::uint32_t two = 2, most = 4'294'967'295;
  using Path = CosTrading::TraderName;
  using Octets = Admin::OctetSeq;
  const std::string mismatch = "CosTrading::Lookup::PolicyTypeMismatch",
                    invalid = "CosTrading::Lookup::InvalidPolicyValue";
  const PolicyRow rows[] = {
      {"none", {}, "d b c a e"},
      {"exact_type_match", {policy("exact_type_match", true)}, "b c a"},
      {"exact_type_match FALSE", {policy("exact_type_match", false)}, "d b c a e"},
      {"search_card: offers that are looked at", {policy("search_card", two)}, "b a [search_card]"},
      {"search_card: all", {policy("search_card", std::uint32_t{5})}, "d b c a e"},
      {"match_card: before the order", {policy("match_card", two)}, "b a [match_card]"},
      {"return_card: behind the order", {policy("return_card", two)}, "d b [return_card]"},
      {"0", {policy("return_card", std::uint32_t{0})}, " [return_card]"},
      {"several",
       {policy("match_card", std::uint32_t{3}), policy("return_card", two)},
       "b c [match_card] [return_card]"},
      {"cut to the trader's maximum", {policy("match_card", most)}, "d b c a e [match_card]"},
      {"cut to the trader's maximum", {policy("return_card", most)}, "d b c a e [return_card]"},
      {"cut to the trader's maximum", {policy("search_card", most)}, "d b c a e [search_card]"},
      {"cut to the trader's maximum", {policy("hop_count", most)}, "d b c a e [hop_count]"},
      {"use_dynamic_properties", {policy("use_dynamic_properties", false)}, "d b c a e"},
      {"use_modifiable_properties", {policy("use_modifiable_properties", false)}, ""},
      {"use_proxy_offers", {policy("use_proxy_offers", false)}, "d b c a e"},
      {"link_follow_rule", {policy("link_follow_rule", Follow::local_only)}, "d b c a e"},
      {"request_id", {policy("request_id", Octets{1, 2, 3})}, "d b c a e"},
      {"request_id: a known id returns empty", {policy("request_id", Octets{1, 2, 3})}, ""},
      {"starting_trader: no such link", {policy("starting_trader", Path{"x"})}, invalid.c_str()},
      {"starting_trader: this one", {policy("starting_trader", Path{})}, "d b c a e"},
      {"unknown name", {policy("nonsense", true)}, "CosTrading::Lookup::IllegalPolicyName"},
      {"names: case counts", {policy("Match_card", two)}, "CosTrading::Lookup::IllegalPolicyName"},
      {"empty name", {policy("", true)}, "CosTrading::Lookup::IllegalPolicyName"},
      {"twice", {policy("match_card", two), policy("match_card", two)}, "CosTrading::DuplicatePolicyName"},
      {"type of search_card", {policy("search_card", std::int32_t{2})}, mismatch.c_str()},
      {"type of match_card", {policy("match_card", std::string("2"))}, mismatch.c_str()},
      {"type of return_card", {policy("return_card", std::uint16_t{2})}, mismatch.c_str()},
      {"type of hop_count", {policy("hop_count", true)}, mismatch.c_str()},
      {"type of exact_type_match", {policy("exact_type_match", two)}, mismatch.c_str()},
      {"type of use_dynamic_properties", {policy("use_dynamic_properties", two)}, mismatch.c_str()},
      {"type of use_modifiable_properties", {policy("use_modifiable_properties", 'x')}, mismatch.c_str()},
      {"type of use_proxy_offers", {policy("use_proxy_offers", two)}, mismatch.c_str()},
      {"type of link_follow_rule", {policy("link_follow_rule", two)}, mismatch.c_str()},
      {"type of starting_trader", {policy("starting_trader", std::string("x"))}, mismatch.c_str()},
      {"type of request_id", {policy("request_id", std::string("x"))}, mismatch.c_str()},
      {"no value", {CosTrading::Policy("match_card", CORBA::Any())}, mismatch.c_str()},
  };
  for (const PolicyRow& each : rows)
    expect_row(each.row, "", each.found,
               market.answer({.preference = "max pages", .policies = each.policies}));
}

struct QueryRow {
  const char* row;
  Asked asked;
  const char* found;
};

TEST(TradingRows, Queries) {
  const Market market;
  const QueryRow rows[] = {
      {"IllegalServiceType", {.type = ""}, "CosTrading::IllegalServiceType"},
      {"IllegalServiceType", {.type = "<Printer>"}, "CosTrading::IllegalServiceType"},
      {"UnknownServiceType", {.type = "Plotter"}, "CosTrading::UnknownServiceType"},
      {"names of types: case counts", {.type = "printer"}, "CosTrading::UnknownServiceType"},
      {"offers of subtypes", {.type = "Laser"}, "d e"},
      {"not those of supertypes", {.type = "FastLaser"}, "e"},
      {"IllegalPropertyName", {.how = How::some, .names = {"1x"}}, "CosTrading::IllegalPropertyName"},
      {"DuplicatePropertyName",
       {.how = How::some, .names = {"id", "id"}},
       "CosTrading::DuplicatePropertyName"},
      {"some: what there is", {.how = How::some, .names = {"id", "nothing"}}, "a b c d e"},
      {"some: nothing", {.how = How::some, .names = {}}, ""},
      {"none", {.how = How::none}, ""},
      {"how_many", {.how_many = 2}, "a b"},
      {"how_many 0", {.how_many = 0}, ""},
  };
  for (const QueryRow& each : rows)
    expect_row(each.row, each.asked.type, each.found, market.answer(each.asked));
  EXPECT_FALSE(ask(*market.lookup, {.how_many = 5}).rest) << "the iterator is nil when none are left";
  EXPECT_EQ(ask(*market.lookup, {.how = How::none}).offers.size(), 5u) << "none: of the properties";
  auto rest = ask(*market.lookup, {.preference = "max pages", .how_many = 2}).rest;
  ASSERT_TRUE(rest) << "the rest in the iterator";
  CosTrading::OfferSeq next;
  EXPECT_EQ(rest->max_left(), 3u);
  EXPECT_TRUE(rest->next_n(1, next));
  EXPECT_EQ(ids_of(next), "c") << "in the order of the preference";
  EXPECT_FALSE(rest->next_n(9, next));
  rest->destroy();
  EXPECT_EQ(exception_of([&] { rest->max_left(); }), "OBJECT_NOT_EXIST");
}

}  // namespace
}  // namespace feature
