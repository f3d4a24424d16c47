#include "name/bind.h"

#include <algorithm>
#include <iostream>

#include <takt/corba.h>
#include <takt/reference/messaging.h>

#include "CosNamingC.h"
#include "name/client.h"

namespace takt::command {
namespace {

// While it lives, calls of this thread end after 5 s. A service hears no signal while it is bound, so a
// naming service that hangs must not keep it.
class ShortCalls {
 public:
  explicit ShortCalls(CORBA::ORB& orb)
      : thread_(IDL::traits<CORBA::PolicyCurrent>::narrow(orb.resolve_initial_references("PolicyCurrent"))) {
    constexpr TimeBase::TimeT five_seconds = 50'000'000;  // in units of 100 ns
    thread_->set_policy_overrides(
        {IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>::make_reference(five_seconds)},
        CORBA::SetOverrideType::SET_OVERRIDE);
  }
  ~ShortCalls() { thread_->set_policy_overrides({}, CORBA::SetOverrideType::SET_OVERRIDE); }
  ShortCalls(const ShortCalls&) = delete;
  ShortCalls& operator=(const ShortCalls&) = delete;

 private:
  const CORBA::object_reference<CORBA::PolicyCurrent> thread_;
};

}  // namespace

void add_bind(const Command& serve, std::string& name, const std::string& what) {
  serve
      .add("--bind", name,
           "name for the " + what +
               " in the naming service of -ORBInitRef NameService=..., if that is given; '' for none")
      .show_default();
}

void bind_in_naming(CORBA::ORB& orb, const std::string& name,
                    const CORBA::object_reference<CORBA::Object>& object, const std::string& what) {
  using CosNaming::NamingContext;
  const CosNaming::Name parts = name_from(name);
  if (parts.empty()) fail("--bind " + name + ": is no name");
  const auto known = orb.list_initial_services();
  if (std::ranges::find(known, "NameService") == known.end()) return;
  try {
    const ShortCalls short_calls(orb);
    auto context = IDL::traits<NamingContext>::narrow(orb.resolve_initial_references("NameService"));
    if (!context) throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO, "NameService is no naming context");
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      try {
        context = IDL::traits<NamingContext>::narrow(context->resolve({parts[i]}));
      } catch (const NamingContext::NotFound&) {
        context = context->bind_new_context({parts[i]});
      }
    }
    context->rebind({parts.back()}, object);
  } catch (const CORBA::Exception& failure) {
    std::cerr << what << " is not bound to " << name << " in the naming service: " << failure.what() << '\n';
  }
}

}  // namespace takt::command
