// Object references as text and as octets: a reference that was read is written unchanged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <takt/cdr/ior.h>

#include "giop/contexts/code_set_negotiation.h"
#include "giop/contexts/priorities.h"
#include "giop/message/target_address.h"
#include "giop/references/profile.h"
#include "reference/text/hex.h"
#include "reference/text/stringified_ior.h"

namespace {

using namespace takt;

// Reads it as an IIOP profile, and as one of a transport without ports.
void look_at(const cdr::TaggedProfile& tagged) {
  ByteView key;
  (void)giop::object_key_of_profile(tagged.tag, tagged.data, key);
  const giop::ProfileLayout form{tagged.tag, tagged.tag == giop::internet_profile};
  const auto profile = giop::read_profile(tagged, form);
  if (!profile) return;
  (void)profile->addresses();
  for (const giop::TaggedComponent& component : profile->components) {
    (void)giop::read_orb_type(component);
    (void)giop::read_policies_component(component);
    (void)giop::read_priority_endpoints(component);
    (void)giop::read_priority_endpoints(component, false);
    if (const auto path = giop::read_unix_path(component))
      if (giop::read_unix_path(giop::make_unix_path_component(*path)) != path) std::abort();
    if (const auto info = giop::read_code_sets_component(component))
      (void)cdr::negotiate(cdr::native_code_sets(), *info);
  }
  const auto again = giop::read_profile(giop::write_profile(*profile, form), form);
  if (!again || again->object_key != profile->object_key || again->components != profile->components)
    std::abort();
}

}  // namespace

// The first octet selects text, or octets that are converted to hexadecimal text first.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text;
  if (data[0] % 2 == 0) {
    text.assign(reinterpret_cast<const char*>(data + 1), size - 1);
  } else {
    text = "IOR:";
    for (std::size_t i = 1; i < size; ++i) reference::append_hex(text, data[i]);
  }
  const auto ior = reference::ior_from_text(text);
  if (!ior) return 0;
  for (const cdr::TaggedProfile& profile : ior->profiles) look_at(profile);
  const auto again = reference::ior_from_text(reference::ior_to_text(*ior));
  if (!again || *again != *ior) std::abort();
  return 0;
}
