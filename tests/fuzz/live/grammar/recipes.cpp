#include "grammar/recipes.h"

#include "grammar/types.h"
#include "grammar/values.h"

namespace takt::fuzz::live {

namespace {

constexpr std::uint32_t most_promised = 60 << 20;

// A count whose elements would fill the announced size, of which nothing comes.
void write_announced_count(Writer& to, Random& random, std::uint32_t& promised) {
  promised = random.one_in(3) ? random.skewed(most_promised) : most_promised;
  constexpr std::uint32_t sizes[] = {1, 4, 4, 8};  // smallest element
  const std::uint32_t least = random.pick(sizes);
  to.telling(promised / least);
}

Type of(Kind kind) { return {kind, {}, 0}; }
Type sequence_of(Type content) { return {tk_sequence, {std::move(content)}, 0}; }
Type array_of(Type content, std::uint32_t length) { return {tk_array, {std::move(content)}, length}; }

// Anys with many elements that have no octets.
void write_idle_elements(Writer& to, Random& random) {
  const Type idle = random.one_in(2) ? of(tk_null) : Type{tk_struct, {}, 0};
  const Type inner = random.one_in(2) ? array_of(idle, random.between(30000, 66000))
                                      : array_of(array_of(idle, 256), random.between(128, 256));
  write_typecode(to, random, sequence_of(of(tk_any)));
  const std::uint32_t count = random.skewed(1500);
  to.telling(count);
  const std::uint64_t seed = random.next();
  for (std::uint32_t i = 0; i < count; ++i) {
    Random again(seed);
    write_typecode(to, again, inner);
  }
}

// Elements with octets that are only announced: these must not count towards the allowed decoding steps.
void write_announced_elements(Writer& to, Random& random, std::uint32_t& promised) {
  const Type idle = Type{tk_struct, {}, 0};
  write_typecode(to, random, array_of(array_of(array_of(idle, 60000), 60000), 10));
  promised = most_promised;
}

// A union with many labels, and many elements that use the last one.
void write_labels(Writer& to, Random& random) {
  const std::uint32_t labels = random.skewed(20000);
  write_typecode(to, random, sequence_of({tk_union, {of(tk_octet)}, labels}));
  const std::uint32_t count = random.skewed(60000);
  to.telling(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    to.u32(labels - 1);
    to.u8(1);
  }
}

void write_announced_any(Writer& to, Random& random, std::uint32_t& promised) {
  constexpr Kind kinds[] = {tk_string, tk_octet, tk_wstring, tk_any, tk_double};
  write_typecode(to, random, sequence_of(of(random.pick(kinds))));
  write_announced_count(to, random, promised);
}

// Nested Anys or nested TypeCodes.
void write_nested(Writer& to, Random& random) {
  const std::uint32_t depth = random.skewed(700);
  if (random.one_in(2)) {
    for (std::uint32_t i = 0; i < depth; ++i) to.telling(tk_any);
    return to.telling(tk_null);
  }
  Type type = of(tk_octet);
  for (std::uint32_t i = 0; i < depth % 100; ++i) type = sequence_of(std::move(type));
  write_typecode(to, random, type);
  for (std::uint32_t i = 0; i < depth; ++i) to.telling(1);
}

// The TypeCode of Interop::Node, which refers to itself.
void write_node_typecode(Writer& to) {
  const std::size_t begins = to.place();
  to.telling(tk_value);
  Writer node = to.encapsulation();
  node.text("IDL:Interop/Node:1.0");
  node.text("Node");
  node.u16(0);
  node.telling(tk_null);
  node.telling(4);
  const auto again = [begins](Writer& at) {
    at.telling(0xffffffff);
    at.telling(static_cast<std::uint32_t>(begins - at.place()));
  };
  node.text("number");
  node.telling(tk_long);
  node.u16(1);
  node.text("name");
  node.telling(tk_string);
  node.telling(0);
  node.u16(1);
  node.text("next");
  again(node);
  node.u16(1);
  node.text("others");
  node.telling(tk_sequence);
  Writer others = node.encapsulation();
  again(others);
  others.telling(0);
  node.put_encapsulation(others);
  node.u16(1);
  to.put_encapsulation(node);
}

std::uint32_t chain_length(Random& random) {
  return random.one_in(3) ? random.between(20000, 80000) : random.skewed(20000);
}

bool write_any_recipe(Writer& to, Random& random, std::uint32_t& promised) {
  switch (random.below(7)) {
    case 0:
      write_idle_elements(to, random);
      return true;
    case 1:
      write_labels(to, random);
      return true;
    case 2:
      write_announced_any(to, random, promised);
      return true;
    case 3:
      write_nested(to, random);
      return true;
    case 4:
      write_announced_elements(to, random, promised);
      return true;
    default:
      write_node_typecode(to);
      ValueWriter values(to, random);
      if (random.one_in(2))
        values.write_chain(chain_length(random));
      else
        values.write(ValueType::node, 4);
      return true;
  }
}

}  // namespace

bool write_recipe(Writer& to, Random& random, Content content, std::uint32_t& promised) {
  switch (content) {
    case Content::any:
      return write_any_recipe(to, random, promised);
    case Content::node:
      ValueWriter(to, random).write_chain(chain_length(random));
      return true;
    case Content::octets:
    case Content::strings:
    case Content::tables:
    case Content::text:
    case Content::wide_text:
      write_announced_count(to, random, promised);
      return true;
    case Content::trees: {
      const std::uint32_t depth = random.skewed(3000);
      for (std::uint32_t i = 0; i < depth; ++i) {
        to.text("");
        to.telling(1);
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace takt::fuzz::live
