#include "dynamic/any/leaf_nodes.h"

#include <algorithm>
#include <string_view>

#include "dynamic/any/values.h"

namespace takt::dynamic {

std::uint32_t EnumNode::get_as_ulong() {
  check_alive();
  std::uint32_t ordinal = 0;
  if (!read_as(value(), ordinal)) throw InvalidValue();
  return ordinal;
}

std::string EnumNode::get_as_string() {
  const std::uint32_t ordinal = get_as_ulong();
  if (ordinal >= actual().member_count()) throw InvalidValue();
  return actual().member_name(ordinal);
}

void EnumNode::set_as_ulong(std::uint32_t ordinal) {
  check_alive();
  if (ordinal >= actual().member_count()) throw InvalidValue();
  Node::set_value(retyped(cdr::label_any(actual_type(), ordinal), type()));
}

void EnumNode::set_as_string(const std::string& name) {
  check_alive();
  const auto& all = actual()._parts().members;
  const auto found = std::ranges::find(all, name, &cdr::TypeCodeMember::name);
  if (found == all.end()) throw InvalidValue();
  set_as_ulong(static_cast<std::uint32_t>(found - all.begin()));
}

namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// A literal, taken apart.
struct Literal {
  bool negative = false;
  std::string whole, fraction;  // digits, without needless zeros
};

std::string_view take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Throws TypeMismatch if the text is not a literal of a fixed.
Literal read_literal(std::string_view text) {
  text = without_blanks(text);
  if (text.ends_with('d') || text.ends_with('D')) text.remove_suffix(1);
  Literal literal;
  if (text.starts_with('-') || text.starts_with('+')) {
    literal.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  literal.whole = take_digits(text);
  if (text.starts_with('.')) text.remove_prefix(1);
  literal.fraction = take_digits(text);
  if (!text.empty() || literal.whole.size() + literal.fraction.size() == 0)
    throw DynamicAny::DynAny::TypeMismatch();
  literal.whole.erase(0, literal.whole.find_first_not_of('0'));
  literal.fraction.erase(literal.fraction.find_last_not_of('0') + 1);
  return literal;
}

// The digits of a fixed, and whether it is negative, as octets of CDR have them. InvalidValue for what is
// neither digit nor sign, and for a digit too many.
std::string unpack(const std::vector<std::uint8_t>& packed, std::size_t digits, bool& negative) {
  std::string all;
  for (const std::uint8_t octet : packed) {
    all += static_cast<char>('0' + (octet >> 4));
    all += static_cast<char>('0' + (octet & 15));
  }
  const int sign = packed.back() & 15;
  negative = sign == 0x0d;
  all.pop_back();
  const std::size_t padding = all.size() - digits;  // one digit, where their number is even
  if ((sign != 0x0c && !negative) || !std::ranges::all_of(all, is_digit) || (padding != 0 && all[0] != '0'))
    throw DynamicAny::DynAny::InvalidValue();
  return all.substr(padding);
}

}  // namespace

std::string FixedNode::get_value() {
  check_alive();
  const std::size_t digits = actual()._parts().digits;
  const int scale = actual()._parts().scale;
  const CORBA::Any packed = value();
  if (packed._content().octets.size() != digits / 2 + 1) throw InvalidValue();
  bool negative = false;
  std::string all = unpack(packed._content().octets, digits, negative);
  if (scale < 0) all.append(static_cast<std::size_t>(-scale), '0');
  const std::size_t places = scale > 0 ? static_cast<std::size_t>(scale) : 0;
  std::string whole = all.substr(0, all.size() - places), fraction = all.substr(all.size() - places);
  whole.erase(0, whole.find_first_not_of('0'));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  if (whole.empty()) whole = "0";
  if (!fraction.empty()) whole += '.' + fraction;
  return negative && whole != "0" ? '-' + whole : whole;
}

bool FixedNode::set_value(const std::string& text) {
  check_alive();
  Literal literal = read_literal(text);
  const std::size_t digits = actual()._parts().digits;
  const int scale = actual()._parts().scale;
  const std::size_t places = scale > 0 ? static_cast<std::size_t>(scale) : 0;
  const bool kept = literal.fraction.size() <= places;
  literal.fraction.resize(places, '0');
  std::string all = literal.whole + literal.fraction;
  if (scale < 0) {  // which IDL does not have
    const auto zeros = static_cast<std::size_t>(-scale);
    if (!literal.whole.empty() &&
        (all.size() < zeros || all.find_first_not_of('0', all.size() - zeros) != std::string::npos))
      throw InvalidValue();
    all.resize(all.size() - std::min(all.size(), zeros));
  }
  if (all.size() > digits) throw InvalidValue();
  all.insert(0, digits - all.size() + (digits % 2 == 0 ? 1 : 0), '0');
  all += literal.negative && all.find_first_not_of('0') != std::string::npos ? '=' : '<';  // '0' + 13 and 12
  auto content = std::make_shared<cdr::AnyContent>();
  for (std::size_t i = 0; i < all.size(); i += 2)
    content->octets.push_back(static_cast<std::uint8_t>((all[i] - '0') << 4 | (all[i + 1] - '0')));
  Node::set_value(CORBA::Any(type(), std::move(content)));
  return kept;
}

}  // namespace takt::dynamic
