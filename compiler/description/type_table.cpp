#include "description/type_table.h"

#include <algorithm>
#include <utility>

namespace takt::idl::description {

namespace {

using Kind = DeclarationKind;

// The kinds of TypeCodes (CORBA 3.0.3, 4.11.1).
enum TypeCodeKind : std::uint32_t {
  tk_void = 1,
  tk_short = 2,
  tk_long = 3,
  tk_ushort = 4,
  tk_ulong = 5,
  tk_float = 6,
  tk_double = 7,
  tk_boolean = 8,
  tk_char = 9,
  tk_octet = 10,
  tk_any = 11,
  tk_TypeCode = 12,
  tk_objref = 14,
  tk_struct = 15,
  tk_union = 16,
  tk_enum = 17,
  tk_string = 18,
  tk_sequence = 19,
  tk_array = 20,
  tk_alias = 21,
  tk_longlong = 23,
  tk_ulonglong = 24,
  tk_longdouble = 25,
  tk_wchar = 26,
  tk_wstring = 27,
  tk_fixed = 28,
  tk_value = 29,
  tk_value_box = 30,
  tk_native = 31,
  tk_abstract_interface = 32,
  tk_local_interface = 33,
  tk_component = 34,
  tk_home = 35,
  tk_event = 36
};

constexpr std::uint32_t indirection = 0xffffffff;

// 0 for types with parameters, and for names.
std::uint32_t basic_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::void_:
      return tk_void;
    case TypeKind::boolean:
      return tk_boolean;
    case TypeKind::char_:
      return tk_char;
    case TypeKind::wchar:
      return tk_wchar;
    case TypeKind::octet:
    case TypeKind::int8:
    case TypeKind::uint8:
      return tk_octet;
    case TypeKind::int16:
      return tk_short;
    case TypeKind::uint16:
      return tk_ushort;
    case TypeKind::int32:
      return tk_long;
    case TypeKind::uint32:
      return tk_ulong;
    case TypeKind::int64:
      return tk_longlong;
    case TypeKind::uint64:
      return tk_ulonglong;
    case TypeKind::float_:
      return tk_float;
    case TypeKind::double_:
      return tk_double;
    case TypeKind::long_double:
      return tk_longdouble;
    case TypeKind::any:
      return tk_any;
    case TypeKind::typecode:
      return tk_TypeCode;
    default:
      return 0;
  }
}

// The smallest integer type with at least `bits` bits.
std::uint32_t holder_of(std::uint32_t bits) {
  return bits <= 8 ? tk_octet : bits <= 16 ? tk_ushort : bits <= 32 ? tk_ulong : tk_ulonglong;
}

std::uint64_t label_of(const Value& value) {
  if (const auto* number = std::get_if<Int128>(&value.is)) return static_cast<std::uint64_t>(*number);
  if (const auto* boolean = std::get_if<bool>(&value.is)) return *boolean ? 1 : 0;
  if (const auto* character = std::get_if<char32_t>(&value.is)) return *character;
  if (const auto* enumerator = std::get_if<const Declaration*>(&value.is))
    return label_of((*enumerator)->value);
  return 0;
}

// A value of the discriminator's type.
void write_label(Octets& out, const Type& discriminator, std::uint64_t label) {
  switch (discriminator.kind) {
    case TypeKind::int16:
    case TypeKind::uint16:
      return out.integer(label, 2);
    case TypeKind::int32:
    case TypeKind::uint32:
    case TypeKind::named:  // an enum
      return out.integer(label, 4);
    case TypeKind::int64:
    case TypeKind::uint64:
      return out.integer(label, 8);
    case TypeKind::wchar:  // the length, then the character
      out.octet(2);
      out.octet(static_cast<std::uint8_t>(label >> 8));
      [[fallthrough]];
    default:
      return out.octet(static_cast<std::uint8_t>(label));
  }
}

std::vector<const Declaration*> members_of(const Declaration& declaration) {
  std::vector<const Declaration*> members;
  if (declaration.kind == Kind::struct_ && !declaration.bases.empty())
    members = members_of(defined(*declaration.bases.front()));
  for (const Declaration* inner : declaration.contents)
    if (inner->kind == Kind::member) members.push_back(inner);
  return members;
}

std::uint32_t interface_kind(const Declaration& declaration) {
  return declaration.is_local      ? tk_local_interface
         : declaration.is_abstract ? tk_abstract_interface
                                   : tk_objref;
}

std::string key_of_declaration(const Declaration& declaration) {
  return "d" + std::to_string(reinterpret_cast<std::uintptr_t>(&declaration));
}

}  // namespace

// Begins an encapsulation at a multiple of four, after its kind.
template <class Write>
void TypeTable::write_encapsulation(const Place& at, Write write) {
  at.out.align(4);
  constexpr std::size_t length_octets = 4;
  Octets inner;
  inner.octet(little_endian);
  write(Place{inner, at.position() + length_octets});
  at.out.nested(inner);
}

std::string TypeTable::key_of(const Type& type) {
  if (type.kind == TypeKind::named) return key_of_declaration(defined(*type.declaration));
  std::string key = "t" + std::to_string(static_cast<int>(type.kind)) + ":" + std::to_string(type.bound) +
                    ":" + std::to_string(type.digits) + ":" + std::to_string(type.scale);
  if (type.key) key += "<" + key_of(*type.key) + ">";
  if (type.element) key += "<" + key_of(*type.element) + ">";
  return key;
}

template <class Write>
std::uint32_t TypeTable::number_of(const std::string& key, Write write) {
  if (const auto found = numbers_.find(key); found != numbers_.end()) return found->second;
  if (count_ == 0) {  // the struct's own octets up to its members
    members_.octet(little_endian);
    members_.string("");
    members_.string("");
    members_.ulong(0);  // replaced by write_to()
  }
  members_.string("");
  write(Place{members_, 0});
  numbers_.emplace(key, ++count_);
  return count_;
}

std::uint32_t TypeTable::number_of(const Type& type) {
  if (type.kind == TypeKind::void_) return 0;
  return number_of(key_of(type), [&](const Place& at) { write(at, type); });
}

std::uint32_t TypeTable::number_of(const Declaration& declaration) {
  return number_of(key_of_declaration(declaration),
                   [&](const Place& at) { write_declared(at, declaration); });
}

void TypeTable::write_to(Octets& out) const {
  constexpr std::size_t first_member = 24;  // after the byte order, two empty strings and the count
  Octets whole;
  whole.octet(little_endian);
  whole.string("");
  whole.string("");
  whole.ulong(count_);
  if (count_ != 0) whole.raw(std::string_view(members_.text()).substr(first_member));
  out.ulong(tk_struct);
  out.nested(whole);
}

void TypeTable::write(const Place& at, const Type& type) {
  if (const std::uint32_t basic = basic_kind(type.kind)) return at.out.ulong(basic);
  switch (type.kind) {
    case TypeKind::string:
    case TypeKind::wstring:
      at.out.ulong(type.kind == TypeKind::string ? tk_string : tk_wstring);
      return at.out.ulong(type.bound);
    case TypeKind::fixed:
      at.out.ulong(tk_fixed);
      at.out.integer(type.digits, 2);
      return at.out.integer(type.scale, 2);
    case TypeKind::sequence:
    case TypeKind::array:
      at.out.ulong(type.kind == TypeKind::sequence ? tk_sequence : tk_array);
      return write_encapsulation(at, [&](const Place& inner) {
        write(inner, *type.element);
        inner.out.ulong(type.bound);
      });
    case TypeKind::map:
      return write_map(at, type);
    case TypeKind::object:
    case TypeKind::value_base: {
      Declaration own;
      own.name = type.kind == TypeKind::object ? "Object" : "ValueBase";
      own.repository_id = "IDL:omg.org/CORBA/" + own.name + ":1.0";
      own.kind = type.kind == TypeKind::object ? Kind::interface_ : Kind::value;
      if (type.kind == TypeKind::object) return write_named(at, tk_objref, own);
      at.out.ulong(tk_value);
      return write_value(at, own);
    }
    default:
      return write_declared(at, defined(*type.declaration));
  }
}

// There is no kind for maps; a map is sent as a sequence of pairs.
void TypeTable::write_map(const Place& at, const Type& type) {
  at.out.ulong(tk_sequence);
  write_encapsulation(at, [&](const Place& sequence) {
    sequence.out.ulong(tk_struct);
    write_encapsulation(sequence, [&](const Place& pair) {
      pair.out.string("");
      pair.out.string("");
      pair.out.ulong(2);
      pair.out.string("key");
      write(pair, *type.key);
      pair.out.string("value");
      write(pair, *type.element);
    });
    sequence.out.ulong(type.bound);
  });
}

// An optional member is sent as a union without a default: a boolean, and the value if that is true.
void TypeTable::write_optional(const Place& at, const Type& type) {
  at.out.ulong(tk_union);
  write_encapsulation(at, [&](const Place& inner) {
    inner.out.string("");
    inner.out.string("");
    inner.out.ulong(tk_boolean);
    inner.out.ulong(0xffffffff);
    inner.out.ulong(1);
    inner.out.octet(1);
    inner.out.string("$optional");
    write(inner, type);
  });
}

void TypeTable::write_named(const Place& at, std::uint32_t kind, const Declaration& declaration) {
  at.out.ulong(kind);
  write_encapsulation(at, [&](const Place& inner) {
    inner.out.string(declaration.repository_id);
    inner.out.string(declaration.name);
  });
}

void TypeTable::write_declared(const Place& at, const Declaration& declaration) {
  switch (declaration.kind) {
    case Kind::bitmask:
      return at.out.ulong(holder_of(declaration.width ? declaration.width : 32));
    case Kind::bitset:
      return at.out.ulong(holder_of(declaration.width));
    default:
      break;
  }
  at.out.align(4);
  const auto refer_to = [&](std::size_t position) {
    at.out.ulong(indirection);
    at.out.ulong(static_cast<std::uint32_t>(position - at.position()));
  };
  if (const auto found = written_.find(&declaration); found != written_.end()) {
    refers_to_ = std::min(refers_to_, found->second.refers_to);
    return refer_to(found->second.position);
  }
  const auto open = std::ranges::find(open_, &declaration, &decltype(open_)::value_type::first);
  if (open != open_.end()) {
    refers_to_ = std::min(refers_to_, static_cast<std::size_t>(open - open_.begin()));
    return refer_to(open->second);
  }
  const std::size_t depth = open_.size(), outer = std::exchange(refers_to_, none);
  const std::size_t position = at.position(), first_inside = inside_.size();
  const bool can_contain_itself = declaration.kind != Kind::typedef_;
  open_.emplace_back(can_contain_itself ? &declaration : nullptr, position);
  write_constructed(at, declaration);
  open_.pop_back();
  close(depth, first_inside);
  const bool whole = refers_to_ >= depth;
  written_.insert_or_assign(&declaration, Written{position, whole ? none : refers_to_});
  if (!whole) inside_.push_back(&declaration);
  refers_to_ = whole ? outer : std::min(outer, refers_to_);
}

// Forgets the types inside the one at `depth` that refer to it, because they are complete only inside it.
// Without references to them, a reader could take a member out of the table and use it alone.
void TypeTable::close(std::size_t depth, std::size_t first_inside) {
  auto kept = inside_.begin() + static_cast<std::ptrdiff_t>(first_inside);
  for (auto at = kept; at != inside_.end(); ++at) {
    const auto found = written_.find(*at);
    if (found == written_.end() || found->second.refers_to == none) continue;
    if (found->second.refers_to >= depth)
      written_.erase(found);
    else
      *kept++ = *at;
  }
  inside_.erase(kept, inside_.end());
}

void TypeTable::write_constructed(const Place& at, const Declaration& declaration) {
  const auto content = [&](std::uint32_t kind) {
    at.out.ulong(kind);
    write_encapsulation(at, [&](const Place& inner) {
      inner.out.string(declaration.repository_id);
      inner.out.string(declaration.name);
      write(inner, *declaration.type);
    });
  };
  switch (declaration.kind) {
    case Kind::typedef_:
      return content(tk_alias);
    case Kind::value_box:
      return content(tk_value_box);
    case Kind::enum_:
      at.out.ulong(tk_enum);
      return write_encapsulation(at, [&](const Place& inner) {
        inner.out.string(declaration.repository_id);
        inner.out.string(declaration.name);
        inner.out.ulong(declaration.contents.size());
        for (const Declaration* enumerator : declaration.contents) inner.out.string(enumerator->name);
      });
    case Kind::union_:
      at.out.ulong(tk_union);
      return write_union(at, declaration);
    case Kind::value:
    case Kind::event:
      at.out.ulong(declaration.kind == Kind::value ? tk_value : tk_event);
      return write_value(at, declaration);
    case Kind::struct_:
    case Kind::exception:
      at.out.ulong(tk_struct);
      return write_members(at, declaration);
    case Kind::component:
      return write_named(at, tk_component, declaration);
    case Kind::home:
      return write_named(at, tk_home, declaration);
    case Kind::native:
      return write_named(at, tk_native, declaration);
    default:
      return write_named(at, interface_kind(declaration), declaration);
  }
}

void TypeTable::write_members(const Place& at, const Declaration& declaration) {
  write_encapsulation(at, [&](const Place& inner) {
    inner.out.string(declaration.repository_id);
    inner.out.string(declaration.name);
    const auto members = members_of(declaration);
    inner.out.ulong(members.size());
    for (const Declaration* member : members) {
      inner.out.string(member->name);
      if (member->is_optional)
        write_optional(inner, *member->type);
      else
        write(inner, *member->type);
    }
  });
}

void TypeTable::write_union(const Place& at, const Declaration& declaration) {
  struct Arm {
    const Declaration* member;
    std::uint64_t label;
  };
  std::vector<Arm> arms;
  std::uint32_t default_index = 0xffffffff;
  for (const Declaration* member : members_of(declaration)) {
    for (const Value& label : member->labels) arms.push_back({member, label_of(label)});
    if (!member->default_label) continue;
    default_index = static_cast<std::uint32_t>(arms.size());
    arms.push_back({member, 0});
  }
  write_encapsulation(at, [&](const Place& inner) {
    inner.out.string(declaration.repository_id);
    inner.out.string(declaration.name);
    write(inner, *declaration.type);
    inner.out.ulong(default_index);
    inner.out.ulong(arms.size());
    for (const Arm& arm : arms) {
      write_label(inner.out, declaration.type->resolved(), arm.label);
      inner.out.string(arm.member->name);
      write(inner, *arm.member->type);
    }
  });
}

void TypeTable::write_value(const Place& at, const Declaration& declaration) {
  const std::uint64_t modifier = declaration.is_custom        ? 1
                                 : declaration.is_abstract    ? 2
                                 : declaration.is_truncatable ? 3
                                                              : 0;
  write_encapsulation(at, [&](const Place& inner) {
    inner.out.string(declaration.repository_id);
    inner.out.string(declaration.name);
    inner.out.integer(modifier, 2);
    const Declaration* const base =
        declaration.bases.empty() ? nullptr : &defined(*declaration.bases.front());
    if (base && !base->is_abstract)
      write_declared(inner, *base);
    else
      inner.out.ulong(0);  // tk_null
    const auto members = members_of(declaration);
    inner.out.ulong(members.size());
    for (const Declaration* member : members) {
      inner.out.string(member->name);
      write(inner, *member->type);
      inner.out.integer(member->is_private ? 0 : 1, 2);
    }
  });
}

}  // namespace takt::idl::description
