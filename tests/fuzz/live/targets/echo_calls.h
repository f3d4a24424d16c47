// The servant for the operations of tests/interop/idl that concern neither types nor values.
#pragma once

#include <string>

#include "callsS.h"
#include "echoes.h"

namespace takt::fuzz::live {

class EchoCalls final : public virtual CORBA::servant_traits<Interop::Calls>::base_type {
 public:
  Ref<Interop::Types> kinds() override { return nullptr; }
  Ref<Interop::Values> valued() override { return nullptr; }
  std::string title() override { return "a title"; }
  void title(const std::string&) override {}
  int32_t guarded() override { throw Interop::Nothing(); }
  void guarded(int32_t value) override { throw Interop::Refused("negative", value); }
  int32_t in_context(uint8_t n, uint8_t) override { return 3 * n; }
  void ping() override {}
  void note(int32_t) override {}
  int32_t noted() override { return 0; }
  void refuse(const std::string& why, int32_t code) override { throw Interop::Refused(why, code); }
  void fail() override { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_MAYBE); }
  void crash() override { throw Interop::Refused("unlisted", 1); }
  int32_t call_back(Ref<Interop::Caller>, int32_t n) override {
    return n;
  }  // does not call an object that a peer names
  Ref<Interop::Caller> giver() override { return nullptr; }
  Ref<CORBA::Object> same(Ref<CORBA::Object> reference) override { return reference; }
  Ref<Interop::Calls> forwarded() override { return nullptr; }
  Ref<Interop::Calls> absent() override { return nullptr; }
  Interop::Link pass_link(const Interop::Link& value) override { return value; }
  CORBA::Any any_of(Ref<Interop::Caller> other) override {
    CORBA::Any any;
    any <<= other;
    return any;
  }
  int32_t call_any(const CORBA::Any&, int32_t n) override { return n; }
  std::wstring pass_wide(const std::wstring& value) override { return value; }
  std::string pass_narrow(const std::string& value) override { return value; }
  Interop::Octets echo_octets(const Interop::Octets& value) override { return value; }
  Interop::Strings echo_strings(const Interop::Strings& value) override { return value; }
};

}  // namespace takt::fuzz::live
