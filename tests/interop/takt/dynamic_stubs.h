// Stubs that make each call as a dynamic request. Their methods are those of the generated stubs.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <takt/dynamic/request.h>

#include "callsC.h"
#include "report.h"
#include "samples.h"
#include "servants.h"
#include "values.h"

namespace interop {

using ObjectRef = IDL::traits<CORBA::Object>::ref_type;

// One request; its arguments in the order of the operation's parameters.
class DynamicCall {
 public:
  DynamicCall(const ObjectRef& target, const std::string& operation)
      : request_(target->_request(operation)) {}

  template <class T>
  DynamicCall& in(const T& value) {
    request_->add_in_arg() <<= value;
    return *this;
  }
  template <class T>
  DynamicCall& inout(T& value) {
    request_->add_inout_arg() <<= value;
    return takes(value);
  }
  template <class T>
  DynamicCall& out(T& value) {
    request_->add_out_arg(IDL::type_code<T>());
    return takes(value);
  }
  // The exception is thrown as the type that it has in the IDL.
  template <class Exception>
  DynamicCall& raises() {
    request_->exceptions().push_back(IDL::type_code<Exception>());
    throwers_.push_back([](const CORBA::Any& any) {
      Exception exception;
      if (any >>= exception) throw exception;
    });
    return *this;
  }
  DynamicCall& context(const std::string& name, const std::string& value) {
    auto context = CORBA::make_reference<CORBA::Context>();
    CORBA::Any any;
    any <<= value;
    context->set_one_value(name, any);
    request_->contexts().push_back(name);
    request_->ctx(context);
    return *this;
  }

  void send_oneway() { request_->send_oneway(); }
  void invoke() {
    try {
      request_->invoke();
    } catch (const CORBA::UnknownUserException& raised) {
      for (const auto& thrower : throwers_) thrower(raised.exception());
      throw;
    }
    for (const auto& take : takers_) take();
  }
  template <class R>
  R result() {
    request_->set_return_type(IDL::type_code<R>());
    invoke();
    R value{};
    require(request_->return_value() >>= value, "the result is of another type");
    return value;
  }

 private:
  template <class T>
  DynamicCall& takes(T& value) {
    const auto item = request_->arguments()->item(request_->arguments()->count() - 1);
    takers_.push_back([&value, item] { require(item->value() >>= value, "an argument is of another type"); });
    return *this;
  }

  IDL::traits<CORBA::Request>::ref_type request_;
  std::vector<std::function<void()>> takers_;
  std::vector<std::function<void(const CORBA::Any&)>> throwers_;
};

class DynamicStub {
 public:
  explicit DynamicStub(ObjectRef target) : target_(std::move(target)) {}
  explicit operator bool() const { return static_cast<bool>(target_); }
  operator ObjectRef() const { return target_; }
  bool _is_a(const std::string& id) const { return target_->_is_a(id); }
  bool _non_existent() const { return target_->_non_existent(); }

 protected:
  DynamicCall call(const std::string& operation) const { return {target_, operation}; }

 private:
  ObjectRef target_;
};

class DynamicTypes : public DynamicStub {
 public:
  using DynamicStub::DynamicStub;
  const DynamicTypes* operator->() const { return this; }

#define INTEROP_TYPE(NAME, TYPE)                                           \
  TYPE swap_##NAME(In<TYPE> low, TYPE& value, TYPE& high) const {          \
    DynamicCall swap = call("swap_" #NAME);                                \
    swap.in<TYPE>(low).inout(value).out(high).raises<Interop::Mismatch>(); \
    return swap.result<TYPE>();                                            \
  }
  INTEROP_TYPES(INTEROP_TYPE)
#undef INTEROP_TYPE
  CORBA::Any give(const std::string& type) const {
    return call("give").in(type).raises<Interop::Mismatch>().result<CORBA::Any>();
  }
  void take(const std::string& type, const CORBA::Any& value) const {
    call("take").in(type).in(value).raises<Interop::Mismatch>().invoke();
  }
  CORBA::Any echo(const CORBA::Any& value) const { return call("echo").in(value).result<CORBA::Any>(); }
  CORBA::typecode_reference type_of(const CORBA::Any& value) const {
    return call("type_of").in(value).result<CORBA::typecode_reference>();
  }
};

class DynamicValues : public DynamicStub {
 public:
  using DynamicStub::DynamicStub;
  const DynamicValues* operator->() const { return this; }

  NodeRef pass_null(const NodeRef& none) const { return pass("pass_null", none); }
  NodeRef pass_graph(const NodeRef& ring) const { return pass("pass_graph", ring); }
  Interop::Pair pass_shared(const NodeRef& one, const Interop::Pair& both) const {
    return call("pass_shared").in(one).in(both).raises<Interop::Mismatch>().result<Interop::Pair>();
  }
  BaseRef pass_derived(const BaseRef& value) const { return pass("pass_derived", value); }
  BaseRef pass_truncated(const BaseRef& value, std::int32_t after) const {
    return call("pass_truncated").in(value).in(after).raises<Interop::Mismatch>().result<BaseRef>();
  }
  DerivedRef pass_large(const DerivedRef& value) const { return pass("pass_large", value); }
  Interop::Packed::_ref_type pass_packed(const Interop::Packed::_ref_type& value) const {
    return pass("pass_packed", value);
  }
  Interop::Text::_ref_type pass_text(const Interop::Text::_ref_type& boxed) const {
    return pass("pass_text", boxed);
  }
  Interop::Numbers::_ref_type pass_numbers(const Interop::Numbers::_ref_type& boxed) const {
    return pass("pass_numbers", boxed);
  }
  CORBA::Any pass_any(const CORBA::Any& value) const { return pass("pass_any", value); }
  CORBA::typecode_reference type_of(const CORBA::Any& value) const {
    return call("type_of").in(value).result<CORBA::typecode_reference>();
  }

 private:
  template <class T>
  T pass(const char* operation, const T& value) const {
    return call(operation).in(value).template raises<Interop::Mismatch>().template result<T>();
  }
};

class DynamicCalls : public DynamicStub {
 public:
  using DynamicStub::DynamicStub;
  using CallerRef = IDL::traits<Interop::Caller>::ref_type;
  const DynamicCalls* operator->() const { return this; }

  DynamicTypes kinds() const { return DynamicTypes(object<Interop::Types>("_get_kinds")); }
  DynamicValues valued() const { return DynamicValues(object<Interop::Values>("_get_valued")); }
  std::string title() const { return call("_get_title").result<std::string>(); }
  void title(const std::string& title) const { call("_set_title").in(title).invoke(); }
  std::int32_t guarded() const {
    return call("_get_guarded").raises<Interop::Nothing>().result<std::int32_t>();
  }
  void guarded(std::int32_t value) const {
    call("_set_guarded").in(value).raises<Interop::Nothing>().raises<Interop::Refused>().invoke();
  }
  void ping() const { call("ping").invoke(); }
  void note(std::int32_t value) const { call("note").in(value).send_oneway(); }
  std::int32_t noted() const { return call("noted").result<std::int32_t>(); }
  std::int32_t in_context(std::uint8_t n, std::uint8_t unused) const {
    return call("in_context").in(n).in(unused).context("takt", "a value").result<std::int32_t>();
  }
  void refuse(const std::string& why, std::int32_t code) const {
    call("refuse").in(why).in(code).raises<Interop::Nothing>().raises<Interop::Refused>().invoke();
  }
  void fail() const { call("fail").invoke(); }
  void crash() const { call("crash").invoke(); }
  std::int32_t call_back(const CallerRef& other, std::int32_t n) const {
    return call("call_back").in(other).in(n).result<std::int32_t>();
  }
  CallerRef giver() const { return call("giver").result<CallerRef>(); }
  ObjectRef same(const ObjectRef& reference) const { return call("same").in(reference).result<ObjectRef>(); }
  DynamicCalls forwarded() const { return DynamicCalls(object<Interop::Calls>("forwarded")); }
  DynamicCalls absent() const { return DynamicCalls(object<Interop::Calls>("absent")); }
  Interop::Link pass_link(const Interop::Link& value) const {
    return call("pass_link").in(value).result<Interop::Link>();
  }
  CORBA::Any any_of(const CallerRef& other) const { return call("any_of").in(other).result<CORBA::Any>(); }
  std::int32_t call_any(const CORBA::Any& other, std::int32_t n) const {
    return call("call_any").in(other).in(n).result<std::int32_t>();
  }
  std::wstring pass_wide(const std::wstring& value) const {
    return call("pass_wide").in(value).raises<Interop::Mismatch>().result<std::wstring>();
  }
  std::string pass_narrow(const std::string& value) const {
    return call("pass_narrow").in(value).raises<Interop::Mismatch>().result<std::string>();
  }
  Interop::Octets echo_octets(const Interop::Octets& value) const {
    return call("echo_octets").in(value).result<Interop::Octets>();
  }
  Interop::Strings echo_strings(const Interop::Strings& value) const {
    return call("echo_strings").in(value).result<Interop::Strings>();
  }

 private:
  template <class Interface>
  ObjectRef object(const char* operation) const {
    return call(operation).template result<typename IDL::traits<Interface>::ref_type>();
  }
};

}  // namespace interop
