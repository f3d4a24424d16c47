// The application's code for the values of values.idl: implementations and factories.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "valuesC.h"

namespace mapping_test {

inline IDL::traits<Values::Node>::ref_type node(std::int32_t number,
                                                IDL::traits<Values::Node>::ref_type next = {}) {
  return CORBA::make_reference<Values::obv::Node>(number, std::to_string(number), next, Values::Nodes{});
}

class Person final : public virtual IDL::traits<Values::Person>::obv_type {
 public:
  Person() = default;
  Person(std::string name, Title prefix) : obv_type(std::move(name), prefix) {}
  std::string full_name() override { return (prefix() == Title::doctor ? "Dr " : "") + first(); }
  std::int32_t age() override { return static_cast<std::int32_t>(first().size()); }

 private:
  using obv_type = Values::obv::Person;
};

class PersonFactory final : public IDL::traits<Values::Person>::factory_type {
 public:
  IDL::traits<Values::Person>::ref_type create(const std::string& first,
                                               Values::Person::Title prefix) override {
    return CORBA::make_reference<Person>(first, prefix);
  }
  IDL::traits<CORBA::ValueBase>::ref_type create_for_unmarshal() override {
    return CORBA::make_reference<Person>();
  }
};

class Packed final : public virtual Values::obv::Packed {
 public:
  void marshal(CORBA::DataOutputStream& to) const override {
    to.write_string(word());
    to.write_ulong(static_cast<std::uint32_t>(values().size()));
    to.write_long_array(values());
  }
  void unmarshal(CORBA::DataInputStream& from) override {
    word(from.read_string());
    values().resize(from.read_ulong() % 100);
    from.read_long_array(values());
  }
};

class PackedFactory final : public Values::Packed_init {
 public:
  IDL::traits<CORBA::ValueBase>::ref_type create_for_unmarshal() override {
    return CORBA::make_reference<Packed>();
  }
};

}  // namespace mapping_test
