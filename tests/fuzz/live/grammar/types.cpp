#include "grammar/types.h"

#include <algorithm>
#include <string>

namespace takt::fuzz::live {

namespace {

constexpr std::uint32_t indirection = 0xffffffff;

constexpr Kind simple[] = {tk_null,      tk_void,       tk_short,   tk_long,    tk_ushort, tk_ulong,
                           tk_float,     tk_double,     tk_boolean, tk_char,    tk_octet,  tk_any,
                           tk_TypeCode,  tk_Principal,  tk_objref,  tk_enum,    tk_string, tk_longlong,
                           tk_ulonglong, tk_longdouble, tk_wchar,   tk_wstring, tk_fixed};
constexpr Kind compound[] = {tk_struct, tk_union,  tk_sequence, tk_sequence, tk_array,
                             tk_alias,  tk_except, tk_value,    tk_value_box};

void write_names(Writer& to, Random& random, const char* id) {
  to.text(random.one_in(10) ? "" : id);
  to.text(random.one_in(4) ? "" : "T");
}

void write_members(Writer& to, Random& random, const Type& type) {
  to.telling(static_cast<std::uint32_t>(type.parts.size()));
  for (const Type& part : type.parts) {
    to.text("m");
    write_typecode(to, random, part);
  }
}

// A case for each label; if there are more labels than parts, all labels select one part.
void write_union_parameters(Writer& to, Random& random, const Type& type) {
  write_names(to, random, "IDL:U:1.0");
  to.u32(tk_long);
  to.telling(random.one_in(6) ? 0 : 0xffffffff);
  to.telling(type.length);
  for (std::uint32_t label = 0; label < type.length; ++label) {
    to.u32(random.one_in(50) ? 0 : label);
    to.text("m");
    write_typecode(to, random, type.parts[label % type.parts.size()]);
  }
}

void write_value_parameters(Writer& to, Random& random, const Type& type) {
  write_names(to, random, random.one_in(2) ? "IDL:Interop/Node:1.0" : "IDL:V:1.0");
  to.u16(static_cast<std::uint16_t>(random.one_in(4) ? random.below(5) : 0));  // no modifier, custom, ...
  to.telling(tk_null);                                                         // no base
  to.telling(static_cast<std::uint32_t>(type.parts.size()));
  for (const Type& part : type.parts) {
    to.text("m");
    write_typecode(to, random, part);
    to.u16(1);
  }
}

void write_parameters(Writer& to, Random& random, const Type& type) {
  switch (type.kind) {
    case tk_struct:
    case tk_except:
      write_names(to, random, "IDL:S:1.0");
      return write_members(to, random, type);
    case tk_union:
      return write_union_parameters(to, random, type);
    case tk_enum:
      write_names(to, random, "IDL:E:1.0");
      to.telling(2);
      to.text("a");
      return to.text("b");
    case tk_sequence:
    case tk_array:
      write_typecode(to, random, type.parts[0]);
      return to.telling(type.length);
    case tk_alias:
    case tk_value_box:
      write_names(to, random, "IDL:A:1.0");
      return write_typecode(to, random, type.parts[0]);
    case tk_value:
      return write_value_parameters(to, random, type);
    default:
      return write_names(to, random, "IDL:omg.org/CORBA/Object:1.0");
  }
}

void write_elements(Writer& to, Random& random, const Type& content, std::uint32_t count, std::size_t room) {
  const std::uint64_t seed = random.next();
  const bool same = random.one_in(2);  // equal elements
  for (std::uint32_t i = 0; i < count && to.size() < room; ++i) {
    const std::size_t before = to.size();
    Random again(seed);
    write_value(to, same ? again : random, content, room);
    if (to.size() == before) break;  // elements without octets: nothing more to write
  }
}

void write_random_value_of_type(Writer& to, Random& random, const Type& type, std::size_t room) {
  to.telling(random.one_in(3) ? 0 : 0x7fffff02);
  to.text("IDL:V:1.0");
  for (const Type& part : type.parts) write_value(to, random, part, room);
}

}  // namespace

void write_random_text(Writer& to, Random& random, std::uint32_t most) {
  const std::string text(random.skewed(most) - 1, static_cast<char>('a' + random.below(26)));
  to.text(text);
}

void write_random_wide_text(Writer& to, Random& random, std::uint32_t most) {
  const std::uint32_t count = random.skewed(most) - 1;
  to.telling(2 * count);
  for (std::uint32_t i = 0; i < 2 * count; ++i) to.u8(random.octet());
}

void write_reference(Writer& to, Random& random) {
  write_random_text(to, random, 40);
  const std::uint32_t profiles = random.below(3);
  to.telling(profiles);
  for (std::uint32_t i = 0; i < profiles; ++i) {
    constexpr std::uint32_t tags[] = {0, 0, 1, 0x54414f00, 0x54414b04, 0x54414b09, 20};
    to.telling(random.pick(tags));
    Writer inner = to.encapsulation();
    inner.u8(1);
    inner.u8(static_cast<std::uint8_t>(random.below(3)));
    inner.text("127.0.0.1");
    inner.u16(1);
    inner.sequence(Octets(random.below(30), 7));
    inner.telling(random.below(3));
    inner.telling(random.below(22));
    inner.sequence(Octets(random.below(20), 1));
    to.put_encapsulation(inner);
  }
}

Type random_type(Random& random, int depth) {
  Type type;
  type.kind = depth <= 0 || random.one_in(3) ? random.pick(simple) : random.pick(compound);
  switch (type.kind) {
    case tk_struct:
    case tk_except:
    case tk_value:
      for (std::uint32_t count = random.below(5); count > 0; --count)
        type.parts.push_back(random_type(random, depth - 1));
      break;
    case tk_union:
      for (std::uint32_t count = random.between(1, 3); count > 0; --count)
        type.parts.push_back(random_type(random, depth - 1));
      type.length = random.one_in(20) ? random.skewed(2000) : static_cast<std::uint32_t>(type.parts.size());
      break;
    case tk_sequence:
    case tk_array:
      type.parts.push_back(random_type(random, depth - 1));
      type.length = random.one_in(5) ? random.skewed(70000) : random.below(5);
      break;
    case tk_alias:
    case tk_value_box:
      type.parts.push_back(random_type(random, depth - 1));
      break;
    default:
      break;
  }
  return type;
}

void write_typecode(Writer& to, Random& random, const Type& type) {
  if (random.one_in(200)) {
    to.telling(indirection);
    return to.telling(0 - 4 * random.between(1, 30));
  }
  to.telling(random.one_in(300) ? random.below(40) : type.kind);
  switch (type.kind) {
    case tk_string:
    case tk_wstring:
      return to.telling(type.length);
    case tk_fixed:
      to.u16(static_cast<std::uint16_t>(random.one_in(20) ? random.below(70) : 18));
      return to.u16(4);
    case tk_objref:
    case tk_struct:
    case tk_union:
    case tk_enum:
    case tk_sequence:
    case tk_array:
    case tk_alias:
    case tk_except:
    case tk_value:
    case tk_value_box: {
      Writer inner = to.encapsulation();
      write_parameters(inner, random, type);
      return to.put_encapsulation(inner);
    }
    default:
      return;
  }
}

void write_value(Writer& to, Random& random, const Type& type, std::size_t room) {
  switch (type.kind) {
    case tk_null:
    case tk_void:
      return;
    case tk_boolean:
      return to.u8(random.one_in(10) ? random.octet() : 1);
    case tk_char:
    case tk_octet:
      return to.u8(random.octet());
    case tk_short:
    case tk_ushort:
      return to.u16(static_cast<std::uint16_t>(random.next()));
    case tk_longlong:
    case tk_ulonglong:
    case tk_double:
      return to.u64(random.next());
    case tk_longdouble:
      to.u64(random.next());
      return to.u64(random.next());
    case tk_any:
      return write_any(to, random, room > to.size() ? 2 : 0, room);
    case tk_TypeCode:
      return write_typecode(to, random, random_type(random, 1));
    case tk_Principal:
      return to.sequence(Octets(random.below(20), 1));
    case tk_objref:
      return write_reference(to, random);
    case tk_enum:
      return to.telling(random.one_in(10) ? random.below(10) : random.below(2));
    case tk_string:
      return write_random_text(to, random, 200);
    case tk_wstring:
      return write_random_wide_text(to, random, 100);
    case tk_wchar:
      to.u8(2);
      to.u8(0);
      return to.u8(65);
    case tk_fixed:
      for (int i = 0; i < 10; ++i) to.u8(i == 9 ? 0x1c : random.octet() & 0x77);
      return;
    case tk_struct:
    case tk_except:
      if (type.kind == tk_except) to.text("IDL:S:1.0");
      for (const Type& part : type.parts) write_value(to, random, part, room);
      return;
    case tk_union: {
      const std::uint32_t label = random.below(type.length + std::uint64_t{1});
      to.telling(label);
      if (label < type.length) write_value(to, random, type.parts[label % type.parts.size()], room);
      return;
    }
    case tk_sequence: {
      const std::uint32_t most = type.length == 0 ? 3000 : std::min(type.length, 3000U);
      const std::uint32_t count =
          random.one_in(4) ? random.skewed(most) : random.below(std::min(most, 4U) + 1);
      to.telling(count);
      return write_elements(to, random, type.parts[0], count, room);
    }
    case tk_array:
      return write_elements(to, random, type.parts[0], type.length, room);
    case tk_alias:
      return write_value(to, random, type.parts[0], room);
    case tk_value:
    case tk_value_box:
      return write_random_value_of_type(to, random, type, room);
    default:
      return to.u32(static_cast<std::uint32_t>(random.next()));
  }
}

void write_any(Writer& to, Random& random, int depth, std::size_t room) {
  const Type type = random_type(random, depth);
  write_typecode(to, random, type);
  write_value(to, random, type, room);
}

}  // namespace takt::fuzz::live
