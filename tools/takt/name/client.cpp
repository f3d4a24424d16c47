#include "name/client.h"

#include <utility>

#include "common/command.h"
#include "common/orb.h"
#include "ior/calls.h"
#include "ior/reference.h"
#include "naming/model/names.h"
#include "octets/hex.h"
#include "units.h"

namespace takt::command {
namespace {

using CosNaming::NamingContext;

constexpr const char* this_machine = "corbaloc::localhost:2809/NameService";

CORBA::object_reference<CORBA::ORB> orb_for(const NameSettings& settings) {
  const std::string limit = command_line::text_of_time(settings.timeout);
  std::vector<std::string> words{"-ORBConnectTimeout", limit, "-ORBRoundTripTimeout", limit};
  words.insert(words.end(), settings.orb_options.begin(), settings.orb_options.end());
  return client_orb_of(std::move(words), "takt name");
}

CORBA::object_reference<CORBA::Object> service_of(CORBA::ORB& orb, const std::string& given) {
  if (!given.empty()) {
    const auto read = reference_from(given);
    if (!read) fail(read.error());
    return orb.string_to_object(read->text);
  }
  try {
    return orb.resolve_initial_references("NameService");
  } catch (const CORBA::ORB::InvalidName&) {
    return orb.string_to_object(this_machine);
  }
}

}  // namespace

NameClient::NameClient(const NameSettings& settings) {
  try {
    orb_ = orb_for(settings);
    root_ = IDL::traits<NamingContext>::unchecked_narrow(service_of(*orb_, settings.service));
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
  if (!root_) fail("the naming service's reference is nil");
}

NameClient::~NameClient() {
  if (!orb_) return;
  root_.reset();
  try {
    orb_->destroy();
  } catch (const CORBA::Exception&) {  // NOLINT(bugprone-empty-catch): the process ends
  }
}

CosNaming::Name name_from(const std::string& text) {
  if (text.empty() || text == "/") return {};
  for (const char* const scheme : {"IOR:0", "corbaloc::", "corbaloc:iiop:", "corbaname::", "corbaname:iiop:"})
    if (text.starts_with(scheme))
      fail("'" + text + "' is a reference, not a name; that of the naming service follows --service");
  // Accepts long names, because the server has limits of its own.
  auto name = naming::name_of(text, {.component_bytes = 1 << 20, .components = 1 << 16});
  if (!name) fail("'" + text + "' is not a name: " + name.error());
  return std::move(*name);
}

std::string shown(const CosNaming::Name& name) {
  const std::string text = naming::text_of(name);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octet = static_cast<unsigned char>(text[i]);
    // Control characters: those of one octet, and C1 controls, which have two octets in UTF-8.
    const bool c1 = octet == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (octet >= ' ' && octet != 0x7f && !c1)
      result += text[i];
    else
      octets::append_hex(result += "\\x", {&text[i], 1});
  }
  return result;
}

void fail_with(const CORBA::Exception& failure) {
  if (const auto* not_found = dynamic_cast<const NamingContext::NotFound*>(&failure)) {
    using Reason = NamingContext::NotFoundReason;
    const std::string rest = "'" + shown(not_found->rest_of_name()) + "' ";
    switch (not_found->why()) {
      case Reason::missing_node:
        fail(rest + "is not bound", negative);
      case Reason::not_context:
        fail(rest + "begins with an object; a context is needed", negative);
      case Reason::not_object:
        fail(rest + "is a context; an object is needed", negative);
    }
  }
  if (const auto* stuck = dynamic_cast<const NamingContext::CannotProceed*>(&failure))
    fail("the service cannot resolve the name from '" + shown(stuck->rest_of_name()) +
             "' on: the context before it belongs to another service, or was destroyed",
         negative);
  if (dynamic_cast<const NamingContext::InvalidName*>(&failure))
    fail("the service refuses this name: it is empty or too long", negative);
  if (dynamic_cast<const NamingContext::AlreadyBound*>(&failure))
    fail("the name is already bound; use rebind to replace it", negative);
  if (dynamic_cast<const NamingContext::NotEmpty*>(&failure)) fail("the context is not empty", negative);
  if (const auto* system = dynamic_cast<const CORBA::SystemException*>(&failure))
    fail(text_with_advice(*system), negative);
  fail(failure.what(), negative);
}

}  // namespace takt::command
