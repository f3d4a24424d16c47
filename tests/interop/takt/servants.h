// The servants of the server, and the Caller through which the client is called back.
#pragma once

#include <atomic>
#include <string>
#include <type_traits>

#include "callsS.h"
#include "samples.h"
#include "typesS.h"
#include "values.h"

namespace interop {

// How a value of the type is passed as an argument.
template <class T>
using In = std::conditional_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, T, const T&>;

class TypesServant final : public virtual CORBA::servant_traits<Interop::Types>::base_type {
 public:
#define INTEROP_TYPE(NAME, TYPE)                                     \
  TYPE swap_##NAME(In<TYPE> low, TYPE& value, TYPE& high) override { \
    return swap<TYPE>(#NAME, NAME##_samples(), low, value, high);    \
  }
  INTEROP_TYPES(INTEROP_TYPE)
#undef INTEROP_TYPE

  CORBA::Any give(const std::string& type) override { return sample_any(type); }
  void take(const std::string& type, const CORBA::Any& value) override {
    if (!holds_sample(type, value)) throw Interop::Mismatch("any of " + type);
  }
  CORBA::Any echo(const CORBA::Any& value) override { return value; }
  CORBA::typecode_reference type_of(const CORBA::Any& value) override { return value.type(); }

 private:
  template <class T>
  T swap(const char* name, Samples<T> samples, const T& low, T& value, T& high) {
    if (!same(low, samples.low)) throw Interop::Mismatch(std::string(name) + ": in");
    if (!same(value, samples.high)) throw Interop::Mismatch(std::string(name) + ": inout");
    value = samples.low;
    high = samples.high;
    return samples.low;
  }
};

class CallerServant final : public virtual CORBA::servant_traits<Interop::Caller>::base_type {
 public:
  int32_t called(int32_t n) override { return 2 * n; }
};

class CallsServant final : public virtual CORBA::servant_traits<Interop::Calls>::base_type {
 public:
  IDL::traits<Interop::Types>::ref_type kinds() override { return kinds_; }
  IDL::traits<Interop::Values>::ref_type valued() override { return values_; }
  std::string title() override { return title_; }
  void title(const std::string& title) override { title_ = title; }
  int32_t guarded() override {
    if (guarded_ == 0) throw Interop::Nothing();
    return guarded_;
  }
  void guarded(int32_t value) override {
    if (value < 0) throw Interop::Refused("negative", value);
    guarded_ = value;
  }
  int32_t in_context(uint8_t n, uint8_t) override { return 3 * n; }
  void ping() override {}
  void note(int32_t value) override { noted_ = value; }
  int32_t noted() override { return noted_; }
  void refuse(const std::string& why, int32_t code) override {
    if (code == 0) throw Interop::Nothing();
    throw Interop::Refused(why, code);
  }
  void fail() override { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_MAYBE); }
  void crash() override { throw Interop::Refused("unlisted", 1); }
  int32_t call_back(IDL::traits<Interop::Caller>::ref_type other, int32_t n) override {
    return other->called(n) + 1;
  }
  IDL::traits<Interop::Caller>::ref_type giver() override { return giver_; }
  IDL::traits<CORBA::Object>::ref_type same(IDL::traits<CORBA::Object>::ref_type reference) override {
    return reference;
  }
  IDL::traits<Interop::Calls>::ref_type forwarded() override { return forwarded_; }
  IDL::traits<Interop::Calls>::ref_type absent() override { return absent_; }
  Interop::Link pass_link(const Interop::Link& value) override { return value; }
  CORBA::Any any_of(IDL::traits<Interop::Caller>::ref_type other) override {
    CORBA::Any any;
    any <<= other;
    return any;
  }
  int32_t call_any(const CORBA::Any& other, int32_t n) override {
    IDL::traits<Interop::Caller>::ref_type caller;
    if (!(other >>= caller)) throw CORBA::BAD_PARAM();
    return caller->called(n) + 1;
  }
  std::wstring pass_wide(const std::wstring& value) override {
    if (value != clef_wide) throw Interop::Mismatch("wide text");
    return value;
  }
  std::string pass_narrow(const std::string& value) override {
    if (value != clef_narrow) throw Interop::Mismatch("narrow text");
    return value;
  }
  Interop::Octets echo_octets(const Interop::Octets& value) override { return value; }
  Interop::Strings echo_strings(const Interop::Strings& value) override { return value; }

  // Must be called before the first request.
  void refers_to(IDL::traits<Interop::Types>::ref_type kinds, IDL::traits<Interop::Values>::ref_type values,
                 IDL::traits<Interop::Caller>::ref_type giver,
                 IDL::traits<Interop::Calls>::ref_type forwarded,
                 IDL::traits<Interop::Calls>::ref_type absent) {
    kinds_ = kinds;
    values_ = values;
    giver_ = giver;
    forwarded_ = forwarded;
    absent_ = absent;
  }

 private:
  IDL::traits<Interop::Types>::ref_type kinds_;
  IDL::traits<Interop::Values>::ref_type values_;
  IDL::traits<Interop::Caller>::ref_type giver_;
  IDL::traits<Interop::Calls>::ref_type forwarded_, absent_;
  std::string title_;
  std::atomic<int32_t> noted_{0}, guarded_{0};
};

// Forwards every request to another object.
class Elsewhere final : public virtual PortableServer::ServantLocator {
 public:
  explicit Elsewhere(IDL::traits<CORBA::Object>::ref_type target) : target_(target) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&,
                                                              CORBA::object_reference<PortableServer::POA>,
                                                              const std::string&, Cookie&) override {
    throw PortableServer::ForwardRequest(target_);
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, Cookie, CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  IDL::traits<CORBA::Object>::ref_type target_;
};

}  // namespace interop
