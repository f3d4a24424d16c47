// Valuetypes as takt-idl would generate them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/environment.h>

namespace takt::cdr::test {

// valuetype Node { public long number; public string text; public Node next; public NodeSeq more; };
class Node : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Node:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};

  std::int32_t number = 0;
  std::string text;
  CORBA::valuetype_reference<Node> next;
  std::vector<CORBA::valuetype_reference<Node>> more;

  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override { write_members(to, number, text, next, more); }
  bool _read_state(Decoder& from) override { return read_members(from, number, text, next, more); }
};
using NodeRef = CORBA::valuetype_reference<Node>;

// valuetype Base { public octet a; };
class Base : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Base:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};

  std::uint8_t a = 0;

  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override { write_members(to, a); }
  bool _read_state(Decoder& from) override { return read_members(from, a); }
};
using BaseRef = CORBA::valuetype_reference<Base>;

// valuetype Derived : truncatable Base { public Base inner; public double d; public NodeRef node; };
class Derived : public virtual Base {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Derived:1.0", "IDL:Base:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};

  BaseRef inner;
  double d = 0;
  NodeRef node;

  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override {
    Base::_write_state(to);
    end_base_state(to);
    write_members(to, inner, d, node);
  }
  bool _read_state(Decoder& from) override {
    return Base::_read_state(from) && read_members(from, inner, d, node);
  }
};

// valuetype Long : truncatable Base { public sequence<octet> octets; public string after; };
class Long : public virtual Base {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Long:1.0", "IDL:Base:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};

  std::vector<std::uint8_t> octets;
  std::string after;

  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override {
    Base::_write_state(to);
    end_base_state(to);
    write_members(to, octets, after);
  }
  bool _read_state(Decoder& from) override {
    return Base::_read_state(from) && read_members(from, octets, after);
  }
};

// valuetype Holder { public any held; public Holder next; };
class Holder : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Holder:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};

  CORBA::Any held;
  CORBA::valuetype_reference<Holder> next;

  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override { write_members(to, held, next); }
  bool _read_state(Decoder& from) override { return read_members(from, held, next); }
};
using HolderRef = CORBA::valuetype_reference<Holder>;

// valuetype Text string;
class Text final : public ValueBox<Text, std::string> {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Text:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};
  Text() = default;
  explicit Text(std::string text) : ValueBox(std::move(text)) {}
};

template <class V>
class FactoryOf : public CORBA::ValueFactoryBase {
 public:
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    return CORBA::make_reference<V>();
  }
};

class Factories final : public Environment {
 public:
  template <class V>
  void add() {
    factories_[std::string(V::_value_description.id())] = std::make_shared<FactoryOf<V>>();
  }
  std::shared_ptr<CORBA::Object> object_from_ior(Ior&&) override { return nullptr; }
  std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view id) override {
    const auto found = factories_.find(id);
    return found == factories_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, std::shared_ptr<CORBA::ValueFactoryBase>, std::less<>> factories_;
};

// Clears the values' members, so that cycles are freed.
inline void dissolve(const NodeRef& node) {
  if (!node) return;
  const NodeRef next = node->next;
  const auto more = std::move(node->more);
  node->next.reset();
  node->more.clear();
  dissolve(next);
  for (const NodeRef& one : more) dissolve(one);
}

inline CORBA::typecode_reference holder_type() {
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_value;
  parts.id = "IDL:Holder:1.0";
  parts.members.push_back({.name = "held", .type = basic_typecode(CORBA::TCKind::tk_any)});
  parts.members.push_back({.name = "next", .type = make_recursion("IDL:Holder:1.0")});
  return make_typecode(std::move(parts));
}

}  // namespace takt::cdr::test

template <>
struct takt::cdr::TypeCodeOf<takt::cdr::test::HolderRef> {
  static const CORBA::typecode_reference& get() {
    static const CORBA::typecode_reference type = test::holder_type();
    return type;
  }
};
