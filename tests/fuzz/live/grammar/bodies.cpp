#include "grammar/bodies.h"

#include "grammar/recipes.h"
#include "grammar/types.h"
#include "grammar/values.h"

namespace takt::fuzz::live {

namespace {

constexpr std::size_t most_octets = 24 * 1024;  // in an ordinary body, approximately

constexpr Operation all_operations[] = {
    {"echo", Object::types, Content::any},
    {"echo", Object::serial, Content::any},
    {"type_of", Object::types, Content::any},
    {"take", Object::types, Content::named_any},
    {"swap_tree", Object::types, Content::trees},
    {"swap_table", Object::types, Content::tables},
    {"swap_octets", Object::types, Content::octets},
    {"swap_text", Object::types, Content::text},
    {"swap_wstring", Object::types, Content::wide_text},
    {"pass_any", Object::values, Content::any},
    {"type_of", Object::values, Content::any},
    {"pass_graph", Object::values, Content::node},
    {"pass_null", Object::values, Content::node},
    {"pass_shared", Object::values, Content::nodes},
    {"pass_derived", Object::values, Content::base},
    {"pass_truncated", Object::values, Content::base},
    {"pass_large", Object::values, Content::derived},
    {"pass_packed", Object::values, Content::packed},
    {"pass_text", Object::values, Content::text_value},
    {"pass_numbers", Object::values, Content::numbers},
    {"echo_octets", Object::calls, Content::octets},
    {"echo_strings", Object::calls, Content::strings},
    {"same", Object::calls, Content::reference},
    {"pass_wide", Object::calls, Content::wide_text},
    {"pass_narrow", Object::calls, Content::text},
    {"_set_title", Object::calls, Content::text},
    {"_is_a", Object::calls, Content::text},
    {"ping", Object::calls, Content::nothing},
};

void write_tree(Writer& to, Random& random, int depth) {
  write_random_text(to, random, 20);
  const std::uint32_t children = depth > 0 ? random.below(4) : 0;
  to.telling(children);
  for (std::uint32_t i = 0; i < children; ++i) write_tree(to, random, depth - 1);
}

void write_strings(Writer& to, Random& random) {
  const std::uint32_t count = random.skewed(40) - 1;
  to.telling(count);
  for (std::uint32_t i = 0; i < count; ++i) write_random_text(to, random, 60);
}

void write_content(Writer& to, Random& random, Content content) {
  ValueWriter values(to, random);
  const int depth = static_cast<int>(random.between(1, 4));
  switch (content) {
    case Content::nothing:
    case Content::captured:
      return;
    case Content::named_any:
      to.text("record");
      [[fallthrough]];
    case Content::any:
      return write_any(to, random, depth, most_octets);
    case Content::node:
      return values.write(ValueType::node, depth + 1);
    case Content::nodes:
      values.write(ValueType::node, depth);
      values.write(ValueType::node, depth);
      to.u8(9);
      return values.write(ValueType::node, depth);
    case Content::base:
      values.write(ValueType::base, depth + 1);
      return to.u32(77);
    case Content::derived:
      return values.write(ValueType::derived, depth + 1);
    case Content::packed:
      return values.write(ValueType::packed, depth + 1);
    case Content::text_value:
      return values.write(ValueType::text, depth + 1);
    case Content::numbers:
      return values.write(ValueType::numbers, depth + 1);
    case Content::octets: {
      to.sequence(Octets(random.skewed(20000) - 1, random.octet()));
      return to.sequence(Octets(random.skewed(100) - 1, random.octet()));
    }
    case Content::strings:
      return write_strings(to, random);
    case Content::tables:
      for (int tables = 0; tables < 2; ++tables) {
        const std::uint32_t count = random.below(6);
        to.telling(count);
        for (std::uint32_t i = 0; i < count; ++i) write_strings(to, random);
      }
      return;
    case Content::trees:
      write_tree(to, random, depth);
      return write_tree(to, random, depth);
    case Content::reference:
      return write_reference(to, random);
    case Content::text:
      write_random_text(to, random, 3000);
      return write_random_text(to, random, 30);
    case Content::wide_text:
      write_random_wide_text(to, random, 1000);
      return write_random_wide_text(to, random, 30);
  }
}

}  // namespace

std::span<const Operation> operations() { return all_operations; }

Body random_body(Random& random, const Operation& operation) {
  Body body;
  body.operation = operation.name;
  body.object = operation.object;
  body.order = random.one_in(3) ? cdr::ByteOrder::big : cdr::ByteOrder::little;
  Writer to(body.order);
  if (!random.one_in(12) || !write_recipe(to, random, operation.content, body.promised))
    write_content(to, random, operation.content);
  body.octets = to.all();
  body.telling_at = to.telling_at();
  return body;
}

}  // namespace takt::fuzz::live
