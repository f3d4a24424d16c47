// Valuetypes as sent by other ORBs, and as understood by them.
#include <takt/cdr/environment.h>
#include <takt/cdr/value.h>

#include "captures.h"

namespace takt::giop {
namespace {

// valuetype Base { public octet small; };
class Base : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Interop/Base:1.0"};
  static constexpr cdr::ValueDescription _value_description{_value_ids};

  std::uint8_t small = 0;

  const cdr::ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(cdr::Encoder& to) const override { write_members(to, small); }
  bool _read_state(cdr::Decoder& from) override { return read_members(from, small); }
};
using BaseRef = CORBA::valuetype_reference<Base>;

// valuetype Derived : truncatable Base { public double large; public Base inner; public sequence<octet> data;
// public string last; };
class Derived : public virtual Base {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Interop/Derived:1.0", "IDL:Interop/Base:1.0"};
  static constexpr cdr::ValueDescription _value_description{_value_ids};

  double large = 0;
  BaseRef inner;
  std::vector<std::uint8_t> data;
  std::string last;

  const cdr::ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(cdr::Encoder& to) const override {
    Base::_write_state(to);
    cdr::end_base_state(to);
    write_members(to, large, inner, data, last);
  }
  bool _read_state(cdr::Decoder& from) override {
    return Base::_read_state(from) && read_members(from, large, inner, data, last);
  }
};

class DerivedFactory final : public CORBA::ValueFactoryBase {
 public:
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    return CORBA::make_reference<Derived>();
  }
};

class OnlyDerived final : public cdr::Environment {
 public:
  std::shared_ptr<CORBA::Object> object_from_ior(cdr::Ior&&) override { return nullptr; }
  std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view id) override {
    return id == Derived::_value_ids[0] ? std::make_shared<DerivedFactory>() : nullptr;
  }
};

// The list of repository ids occurs twice, the second time with an indirection for each id: in Takt's
// request, which JacORB answered, and in its reply. What is read is written again as the same octets.
TEST(Values, ListsOfIdsAreWrittenAsJacOrbWritesThem) {
  const auto heard = listen("jacorb-3.9-values-1.2");
  for (const EventKind kind : {EventKind::request, EventKind::reply}) {
    const Message* message = find(heard, kind, "pass_derived");
    ASSERT_TRUE(message);
    OnlyDerived environment;
    cdr::Format format;
    format.order = message->what.order;
    format.environment = &environment;
    cdr::Decoder in(message->body, message->what.body_index, format);
    BaseRef value;
    ASSERT_TRUE(cdr::read(in, value));
    EXPECT_EQ(in.remaining(), 0u);
    const auto outer = IDL::traits<Derived>::narrow(value);
    ASSERT_TRUE(outer);
    EXPECT_EQ(outer->last, "last");
    const auto inner = IDL::traits<Derived>::narrow(outer->inner);
    ASSERT_TRUE(inner);
    EXPECT_EQ(inner->small, 8);
    EXPECT_EQ(inner->large, -0.5);

    GatherBuffer buffer;
    cdr::Encoder out(buffer, format);
    while (out.position() < message->what.body_index) out.put(std::uint8_t{0});
    cdr::write(out, value);
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(Octets(buffer.owned() + message->what.body_index, buffer.owned() + buffer.size()),
              message->body);
  }
}

}  // namespace
}  // namespace takt::giop
