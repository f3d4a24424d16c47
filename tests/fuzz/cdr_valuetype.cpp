// Untrusted valuetypes: shared, cyclic, chunked in the standard's form or TAO's, truncated, with arbitrary
// indirections. Values that were read can be written and read again, in either form.
#include <memory>
#include <string>
#include <vector>

#include <takt/cdr/environment.h>
#include <takt/cdr/value.h>

#include "cdr_input.h"

namespace {

using namespace takt;

// Allows cycles to be broken at the end of an input.
std::vector<std::weak_ptr<CORBA::ValueBase>> made;

class Node : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Node:1.0"};
  static constexpr cdr::ValueDescription _value_description{_value_ids};

  const cdr::ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(cdr::Encoder& to) const override { cdr::write_members(to, number, text, next, more); }
  bool _read_state(cdr::Decoder& from) override { return cdr::read_members(from, number, text, next, more); }

  std::int32_t number = 0;
  std::string text;
  CORBA::valuetype_reference<Node> next;
  std::vector<CORBA::valuetype_reference<CORBA::ValueBase>> more;
};

class Base : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Base:1.0"};
  static constexpr cdr::ValueDescription _value_description{_value_ids};

  const cdr::ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(cdr::Encoder& to) const override { cdr::write_members(to, octet); }
  bool _read_state(cdr::Decoder& from) override { return cdr::read_members(from, octet); }

  std::uint8_t octet = 0;
};

class Derived : public virtual Base {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Derived:1.0", "IDL:Base:1.0"};
  static constexpr cdr::ValueDescription _value_description{_value_ids};

  const cdr::ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(cdr::Encoder& to) const override {
    Base::_write_state(to);
    cdr::end_base_state(to);
    cdr::write_members(to, inner, real, node, numbers);
  }
  bool _read_state(cdr::Decoder& from) override {
    return Base::_read_state(from) && cdr::read_members(from, inner, real, node, numbers);
  }

  CORBA::valuetype_reference<Base> inner;
  double real = 0;
  CORBA::valuetype_reference<Node> node;
  std::vector<std::int32_t> numbers;
};

class Third : public virtual Derived {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Third:1.0", "IDL:Derived:1.0", "IDL:Base:1.0"};
  static constexpr cdr::ValueDescription _value_description{_value_ids};

  const cdr::ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(cdr::Encoder& to) const override {
    Derived::_write_state(to);
    cdr::end_base_state(to);
    cdr::write_members(to, kept, text);
  }
  bool _read_state(cdr::Decoder& from) override {
    return Derived::_read_state(from) && cdr::read_members(from, kept, text);
  }

  CORBA::valuetype_reference<Base> kept;
  std::string text;
};

class Text final : public cdr::ValueBox<Text, std::string> {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Text:1.0"};
  static constexpr cdr::ValueDescription _value_description{_value_ids};
  Text() = default;
};

template <class V>
class FactoryOf final : public CORBA::ValueFactoryBase {
 public:
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    auto value = CORBA::make_reference<V>();
    made.push_back(value.shared());
    return value;
  }
};

class Factories final : public cdr::Environment {
 public:
  std::shared_ptr<CORBA::Object> object_from_ior(cdr::Ior&&) override { return nullptr; }
  std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view id) override {
    if (id == Node::_value_ids[0]) return std::make_shared<FactoryOf<Node>>();
    if (id == Base::_value_ids[0]) return std::make_shared<FactoryOf<Base>>();
    if (id == Derived::_value_ids[0]) return std::make_shared<FactoryOf<Derived>>();
    if (id == Third::_value_ids[0]) return std::make_shared<FactoryOf<Third>>();
    if (id == Text::_value_ids[0]) return std::make_shared<FactoryOf<Text>>();
    return nullptr;
  }
};

void open_cycles() {
  for (const auto& weak : made) {
    const auto value = weak.lock();
    if (auto* const node = dynamic_cast<Node*>(value.get())) {
      node->next.reset();
      node->more.clear();
    }
    if (auto* const derived = dynamic_cast<Derived*>(value.get())) {
      derived->inner.reset();
      derived->node.reset();
    }
    if (auto* const third = dynamic_cast<Third*>(value.get())) third->kept.reset();
  }
  made.clear();
}

template <class T>
void check(ByteView octets, const cdr::Format& format) {
  cdr::Decoder in(octets, 0, format);
  T value{};
  if (!cdr::read(in, value)) return;
  const fuzz::Octets expected = fuzz::encoded(value, format);
  for (const cdr::ValueForm form : {cdr::ValueForm::standard, cdr::ValueForm::tao}) {
    cdr::Format written = format;
    written.values = form;
    const fuzz::Octets said = fuzz::encoded(value, written);
    cdr::Decoder back(said, 0, format);
    T again{};
    fuzz::require(cdr::read(back, again) && back.remaining() == 0);
    fuzz::require(fuzz::encoded(again, format) == expected);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static Factories factories;
  cdr::Format format = fuzz::format_of(data[0]);
  format.environment = &factories;
  const ByteView octets(data + 2, size - 2);
  using Check = void (*)(ByteView, const cdr::Format&);
  static constexpr Check checks[] = {&check<CORBA::valuetype_reference<Node>>,
                                     &check<CORBA::valuetype_reference<Base>>,
                                     &check<CORBA::valuetype_reference<Text>>,
                                     &check<std::vector<CORBA::valuetype_reference<CORBA::ValueBase>>>};
  checks[data[1] % std::size(checks)](octets, format);
  open_cycles();
  return 0;
}
