#include "grammar/values.h"

#include <string>

namespace takt::fuzz::live {

namespace {

constexpr std::uint32_t value_tag = 0x7fffff00, has_codebase = 1, has_id = 2, has_id_list = 6, is_chunked = 8;
constexpr std::string_view ids[] = {
    "IDL:Interop/Node:1.0",   "IDL:Interop/Base:1.0", "IDL:Interop/Derived:1.0", "IDL:Interop/Wide:1.0",
    "IDL:Interop/Packed:1.0", "IDL:Interop/Text:1.0", "IDL:Interop/Numbers:1.0"};

std::string_view id_of(ValueType type) { return ids[static_cast<std::size_t>(type)]; }

ValueType actual_type(Random& random, ValueType formal) {
  if (random.one_in(40)) return static_cast<ValueType>(random.below(std::size(ids)));
  constexpr ValueType bases[] = {ValueType::base, ValueType::derived, ValueType::wide};
  return formal == ValueType::base ? random.pick(bases) : formal;
}

}  // namespace

void ValueWriter::write(ValueType formal, int depth) {
  if (depth <= 0 || random_.one_in(8)) return to_.telling(0);
  if (!values_.empty() && random_.one_in(5)) return write_indirection(values_);
  write_new(formal, depth);
}

void ValueWriter::write_indirection(const std::vector<std::size_t>& targets) {
  to_.telling(0xffffffff);
  const std::size_t target =
      random_.one_in(20) ? to_.place() - 4 + 4 * random_.below(4) : random_.any_of(targets);
  to_.telling(static_cast<std::uint32_t>(target - to_.place()));
}

void ValueWriter::write_id(std::string_view id) {
  if (!ids_.empty() && random_.one_in(4)) return write_indirection(ids_);
  to_.align(4);
  ids_.push_back(to_.place());
  to_.text(id);
}

void ValueWriter::write_new(ValueType formal, int depth) {
  const ValueType type = actual_type(random_, formal);
  const bool chunked =
      level_ > 0 || type == ValueType::wide || type == ValueType::packed || random_.one_in(2);
  std::uint32_t tag = value_tag | (chunked ? is_chunked : 0) | (random_.one_in(25) ? has_codebase : 0);
  if (type == ValueType::wide) tag |= has_id_list;
  if (type != formal || random_.one_in(2)) tag |= has_id;
  to_.align(4);
  values_.push_back(to_.place());
  to_.telling(tag);
  if ((tag & has_codebase) != 0) to_.text("IOR:00");
  if ((tag & has_id_list) == has_id_list) {
    to_.telling(2);
    write_id(id_of(type));
    write_id(id_of(ValueType::derived));
  } else if ((tag & has_id) != 0) {
    write_id(id_of(type));
  }
  if (chunked) {
    ++level_;
    open_chunk();
  }
  write_state(type, depth);
  if (!chunked) return;
  close_chunk();
  to_.telling(static_cast<std::uint32_t>(random_.one_in(20) ? -static_cast<int>(random_.below(4)) : -level_));
  --level_;
}

void ValueWriter::write_nested(ValueType formal, int depth) {
  const bool within = level_ > 0;
  if (within) close_chunk();
  write(formal, depth - 1);
  if (within && !random_.one_in(30)) open_chunk();
}

void ValueWriter::write_node(int depth) {
  member_u32(static_cast<std::uint32_t>(random_.next()));
  member_text(random_.one_in(10) ? 3000 : 20);
  write_nested(ValueType::node, depth);
  const std::uint32_t count = random_.below(3);
  member_u32(count);
  for (std::uint32_t i = 0; i < count; ++i) write_nested(ValueType::node, depth);
}

void ValueWriter::write_derived(int depth) {
  to_.u8(random_.octet());
  perhaps_break();
  to_.u64(random_.next());
  write_nested(ValueType::base, depth);
  member_octets(random_.one_in(10) ? 3000 : 20);
  member_text(20);
}

void ValueWriter::write_state(ValueType type, int depth) {
  switch (type) {
    case ValueType::node:
      return write_node(depth);
    case ValueType::base:
      return to_.u8(random_.octet());
    case ValueType::derived:
      return write_derived(depth);
    case ValueType::wide:
      write_derived(depth);
      write_nested(ValueType::base, depth);
      to_.u64(random_.next());
      return write_nested(ValueType::text, depth);
    case ValueType::packed:
      member_u32(7);
      return member_text(200);
    case ValueType::text:
      return member_text(random_.one_in(10) ? 3000 : 20);
    case ValueType::numbers: {
      const std::uint32_t count = random_.skewed(200) - 1;
      member_u32(count);
      for (std::uint32_t i = 0; i < count; ++i) member_u32(i);
      return;
    }
  }
}

void ValueWriter::write_chain(std::uint32_t length) {
  to_.telling(value_tag | has_id);
  to_.text(id_of(ValueType::node));
  to_.u32(0);
  to_.text("");
  to_.telling(0);
  to_.telling(length);
  std::size_t before = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    to_.align(4);
    const std::size_t begins = to_.place();
    to_.u32(value_tag);
    to_.u32(i);
    to_.u32(1);
    to_.u8(0);
    if (before == 0) {
      to_.u32(0);
    } else {
      to_.u32(0xffffffff);
      to_.u32(static_cast<std::uint32_t>(before - to_.place()));
    }
    to_.u32(0);
    before = begins;
  }
}

void ValueWriter::member_u32(std::uint32_t number) {
  perhaps_break();
  to_.telling(number);
}

void ValueWriter::raw_octets(std::size_t count, std::uint8_t octet) {
  const std::size_t first = random_.one_in(5) && level_ > 0 ? random_.below(count + 1) : count;
  to_.octets(Octets(first, octet));
  if (first == count) return;
  close_chunk();
  open_chunk();
  to_.octets(Octets(count - first, octet));
}

void ValueWriter::member_text(std::uint32_t most) {
  const std::uint32_t length = random_.skewed(most) - 1;
  member_u32(length + 1);
  raw_octets(length, 'x');
  to_.u8(0);
}

void ValueWriter::member_octets(std::uint32_t most) {
  const std::uint32_t length = random_.skewed(most) - 1;
  member_u32(length);
  raw_octets(length, random_.octet());
}

void ValueWriter::perhaps_break() {
  if (level_ == 0 || !random_.one_in(6)) return;
  close_chunk();
  open_chunk();
}

void ValueWriter::open_chunk() {
  if (chunk_at_ != 0) return;
  to_.telling(0);
  chunk_at_ = to_.size() - 4;
}

void ValueWriter::close_chunk() {
  if (chunk_at_ == 0) return;
  auto length = static_cast<std::uint32_t>(to_.size() - chunk_at_ - 4);
  if (random_.one_in(30)) length += random_.below(64);
  to_.patch(chunk_at_, length);
  chunk_at_ = 0;
}

}  // namespace takt::fuzz::live
