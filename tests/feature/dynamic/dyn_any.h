// Helpers for the tests of DynAnys.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <takt/corba.h>
#include <takt/dynamic/dyn_any.h>

#include "../make_orb.h"

namespace feature {

using namespace DynamicAny;
using DynAnyRef = IDL::traits<DynAny>::ref_type;
using CORBA::TCKind;

template <class Dyn>
typename IDL::traits<Dyn>::ref_type as(const DynAnyRef& any) {
  return IDL::traits<Dyn>::narrow(any);
}

// Type and value, as a message has them.
inline std::vector<std::uint8_t> octets_of(const CORBA::Any& any) {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder out(buffer, takt::cdr::any_format());
  out.set_borrowing(false);
  takt::cdr::write_any(out, any);
  EXPECT_TRUE(out.ok()) << takt::cdr::to_text(out.error());
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

template <class T>
CORBA::Any any_of(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}
template <class T>
T value_in(const CORBA::Any& any) {
  T value{};
  EXPECT_TRUE(any >>= value);
  return value;
}

struct DynAnys : testing::Test {
  ~DynAnys() override { orb->destroy(); }
  Orb orb = make_orb({}, "dynamic");
  IDL::traits<DynAnyFactory>::ref_type factory =
      IDL::traits<DynAnyFactory>::narrow(orb->resolve_initial_references("DynAnyFactory"));

  template <class Dyn>
  typename IDL::traits<Dyn>::ref_type make(const CORBA::typecode_reference& type) {
    return as<Dyn>(factory->create_dyn_any_from_type_code(type));
  }
  template <class T>
  DynAnyRef of(const T& value) {
    return factory->create_dyn_any(any_of(value));
  }
  CORBA::typecode_reference basic(TCKind kind) { return takt::cdr::basic_typecode(kind); }
};

}  // namespace feature
