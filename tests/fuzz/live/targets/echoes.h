// Servants for every type of tests/interop/idl and its values. They return what they receive, so that it is
// decoded and encoded.
#pragma once

#include <string>
#include <type_traits>

#include "takt/samples.h"
#include "typesS.h"
#include "untangle.h"
#include "valuesS.h"

namespace takt::fuzz::live {

template <class T>
using In = std::conditional_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, T, const T&>;
template <class T>
using Ref = typename IDL::traits<T>::ref_type;

class EchoTypes final : public virtual CORBA::servant_traits<Interop::Types>::base_type {
 public:
#define INTEROP_TYPE(NAME, TYPE)                                     \
  TYPE swap_##NAME(In<TYPE> low, TYPE& value, TYPE& high) override { \
    high = value;                                                    \
    value = low;                                                     \
    return low;                                                      \
  }
  INTEROP_TYPES(INTEROP_TYPE)
#undef INTEROP_TYPE

  CORBA::Any give(const std::string& type) override {
    CORBA::Any any;
    any <<= type;
    return any;
  }
  void take(const std::string&, const CORBA::Any&) override {}
  CORBA::Any echo(const CORBA::Any& value) override { return value; }
  CORBA::typecode_reference type_of(const CORBA::Any& value) override { return value.type(); }
};

class EchoValues final : public virtual CORBA::servant_traits<Interop::Values>::base_type {
 public:
  Ref<Interop::Node> pass_null(Ref<Interop::Node> value) override { return passed(value); }
  Ref<Interop::Node> pass_graph(Ref<Interop::Node> value) override { return passed(value); }
  Interop::Pair pass_shared(Ref<Interop::Node> one, const Interop::Pair& both) override {
    passed(one);
    passed(both.one());
    passed(both.two());
    return both;
  }
  Ref<Interop::Base> pass_derived(Ref<Interop::Base> value) override { return passed(value); }
  Ref<Interop::Base> pass_truncated(Ref<Interop::Base> value, int32_t) override { return passed(value); }
  Ref<Interop::Derived> pass_large(Ref<Interop::Derived> value) override { return passed(value); }
  Ref<Interop::Packed> pass_packed(Ref<Interop::Packed> value) override { return value; }
  Ref<Interop::Text> pass_text(Ref<Interop::Text> boxed) override { return boxed; }
  Ref<Interop::Numbers> pass_numbers(Ref<Interop::Numbers> boxed) override { return boxed; }
  CORBA::Any pass_any(const CORBA::Any& value) override {
    Ref<Interop::Node> node;
    if (value >>= node) passed(node);
    return value;
  }
  CORBA::typecode_reference type_of(const CORBA::Any& value) override { return value.type(); }

 private:
  // The servant must break cycles of values after the reply has been written.
  template <class T>
  static T passed(const T& value) {
    thread_local Untangled kept;
    kept.take(value);
    return value;
  }
};

}  // namespace takt::fuzz::live
