// The servants for omniORB; takt/servants.h has the same.
#pragma once

#include <atomic>

#include "samples.h"
#include "values.h"

namespace interop {

class TypesServant : public POA_Interop::Types {
 public:
#define INTEROP_TYPE(NAME, TYPE)                                         \
  TYPE swap_##NAME(TYPE low, TYPE& value, TYPE& high) override {         \
    const Samples<TYPE> samples = NAME##_samples();                      \
    require(same(low, samples.low) && same(value, samples.high), #NAME); \
    value = samples.low;                                                 \
    high = samples.high;                                                 \
    return samples.low;                                                  \
  }
  INTEROP_PLAIN(INTEROP_TYPE)
#undef INTEROP_TYPE
#define INTEROP_TYPE(NAME)                                                            \
  char* swap_##NAME(const char* low, char*& value, CORBA::String_out high) override { \
    const auto samples = NAME##_samples();                                            \
    require(same(low, samples.low) && same(value, samples.high), #NAME);              \
    CORBA::string_free(value);                                                        \
    value = CORBA::string_dup(samples.low.c_str());                                   \
    high = CORBA::string_dup(samples.high.c_str());                                   \
    return CORBA::string_dup(samples.low.c_str());                                    \
  }
  INTEROP_TEXT(INTEROP_TYPE)
#undef INTEROP_TYPE
#define INTEROP_TYPE(NAME, TYPE)                                             \
  TYPE swap_##NAME(const TYPE& low, TYPE& value, TYPE##_out high) override { \
    const Samples<TYPE> samples = NAME##_samples();                          \
    require(same(low, samples.low) && same(value, samples.high), #NAME);     \
    value = samples.low;                                                     \
    high = samples.high;                                                     \
    return samples.low;                                                      \
  }
  INTEROP_FIXED_SIZE(INTEROP_TYPE)
#undef INTEROP_TYPE
#define INTEROP_TYPE(NAME, TYPE)                                              \
  TYPE* swap_##NAME(const TYPE& low, TYPE& value, TYPE##_out high) override { \
    const Samples<TYPE> samples = NAME##_samples();                           \
    require(same(low, samples.low) && same(value, samples.high), #NAME);      \
    value = samples.low;                                                      \
    high = new TYPE(samples.high);                                            \
    return new TYPE(samples.low);                                             \
  }
  INTEROP_VARIABLE(INTEROP_TYPE)
#undef INTEROP_TYPE
  CORBA::WChar* swap_wstring(const CORBA::WChar* low, CORBA::WChar*& value,
                             CORBA::WString_out high) override {
    const auto samples = wstring_samples();
    require(same(low, samples.low) && same(value, samples.high), "wstring");
    CORBA::wstring_free(value);
    value = CORBA::wstring_dup(samples.low.c_str());
    high = CORBA::wstring_dup(samples.high.c_str());
    return CORBA::wstring_dup(samples.low.c_str());
  }
  Interop::Matrix_slice* swap_matrix(const Interop::Matrix low, Interop::Matrix value,
                                     Interop::Matrix high) override {
    require(same_matrix(low, matrix_low) && same_matrix(value, matrix_high), "matrix");
    Interop::Matrix_copy(value, matrix_low);
    Interop::Matrix_copy(high, matrix_high);
    return Interop::Matrix_dup(matrix_low);
  }
  Interop::Names_slice* swap_names(const Interop::Names low, Interop::Names value,
                                   Interop::Names_out high) override {
    require(same_names(low, "", "") && same_names(value, "first", "second"), "names");
    high = Interop::Names_dup(value);
    value[0] = "";
    value[1] = "";
    return Interop::Names_dup(value);
  }

  CORBA::Any* give(const char* type) override { return new CORBA::Any(sample_any(type)); }
  void take(const char* type, const CORBA::Any& value) override { require(holds_sample(type, value), type); }
  CORBA::Any* echo(const CORBA::Any& value) override { return new CORBA::Any(value); }
  CORBA::TypeCode_ptr type_of(const CORBA::Any& value) override { return value.type(); }

 private:
  static void require(bool holds, const char* type) {
    if (!holds) throw Interop::Mismatch(type);
  }
};

class CallerServant : public POA_Interop::Caller {
 public:
  CORBA::Long called(CORBA::Long n) override { return 2 * n; }
};

class CallsServant : public POA_Interop::Calls {
 public:
  Interop::Types_ptr kinds() override { return Interop::Types::_duplicate(kinds_); }
  Interop::Values_ptr valued() override { return Interop::Values::_duplicate(values_); }
  char* title() override { return CORBA::string_dup(title_); }
  void title(const char* title) override { title_ = title; }
  CORBA::Long in_context(CORBA::Octet n, CORBA::Octet, CORBA::Context_ptr context) override {
    // Takt sends no context properties.
    return CORBA::is_nil(context) ? 0 : 3 * n;
  }
  void ping() override {}
  void note(CORBA::Long value) override { noted_ = value; }
  CORBA::Long noted() override { return noted_; }
  void refuse(const char* why, CORBA::Long code) override {
    if (code == 0) throw Interop::Nothing();
    throw Interop::Refused(why, code);
  }
  void fail() override { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_MAYBE); }
  void crash() override { throw Interop::Refused("unlisted", 1); }
  CORBA::Long call_back(Interop::Caller_ptr other, CORBA::Long n) override { return other->called(n) + 1; }
  Interop::Caller_ptr giver() override { return Interop::Caller::_duplicate(giver_); }
  CORBA::Object_ptr same(CORBA::Object_ptr reference) override {
    return CORBA::Object::_duplicate(reference);
  }
  Interop::Calls_ptr forwarded() override { return Interop::Calls::_duplicate(forwarded_); }
  Interop::Calls_ptr absent() override { return Interop::Calls::_duplicate(absent_); }
  Interop::Link* pass_link(const Interop::Link& value) override { return new Interop::Link(value); }
  CORBA::Any* any_of(Interop::Caller_ptr other) override {
    auto* any = new CORBA::Any;
    *any <<= other;
    return any;
  }
  CORBA::Long call_any(const CORBA::Any& other, CORBA::Long n) override {
    Interop::Caller_ptr caller;
    if (!(other >>= caller)) throw CORBA::BAD_PARAM();
    return caller->called(n) + 1;
  }
  CORBA::WChar* pass_wide(const CORBA::WChar* value) override {
    if (value != clef_wide) throw Interop::Mismatch("wide text");
    return CORBA::wstring_dup(value);
  }
  char* pass_narrow(const char* value) override {
    if (value != clef_narrow) throw Interop::Mismatch("narrow text");
    return CORBA::string_dup(value);
  }
  Interop::Octets* echo_octets(const Interop::Octets& value) override { return new Interop::Octets(value); }
  Interop::Strings* echo_strings(const Interop::Strings& value) override {
    return new Interop::Strings(value);
  }

  void refers_to(Interop::Types_ptr kinds, Interop::Values_ptr values, Interop::Caller_ptr giver,
                 Interop::Calls_ptr forwarded, Interop::Calls_ptr absent) {
    kinds_ = kinds;
    values_ = values;
    giver_ = giver;
    forwarded_ = forwarded;
    absent_ = absent;
  }

 private:
  Interop::Types_var kinds_;
  Interop::Values_var values_;
  Interop::Caller_var giver_;
  Interop::Calls_var forwarded_, absent_;
  CORBA::String_var title_ = CORBA::string_dup("");
  std::atomic<CORBA::Long> noted_{0};
};

// Forwards every request to another object.
class Elsewhere : public PortableServer::ServantLocator {
 public:
  explicit Elsewhere(CORBA::Object_ptr target) : target_(CORBA::Object::_duplicate(target)) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    void*&) override {
    throw PortableServer::ForwardRequest(target_);
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, void*,
                  PortableServer::Servant) override {}

 private:
  CORBA::Object_var target_;
};

// A POA for objects that may be called over connections that their own side has opened, with the necessary
// options.
inline PortableServer::POA_ptr both_ways(CORBA::ORB_ptr orb, PortableServer::POA_ptr root) {
  CORBA::Any value;
  value <<= BiDirPolicy::BOTH;
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb->create_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, value);
  PortableServer::POAManager_var manager = root->the_POAManager();
  return root->create_POA("both", manager, policies);
}

}  // namespace interop
