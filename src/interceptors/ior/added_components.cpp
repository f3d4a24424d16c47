#include "interceptors/ior/added_components.h"

#include <utility>

#include "reference/profiles.h"
#include "reference/references.h"
#include "reference/target.h"

namespace takt::interceptors {

namespace {

void add(const reference::References& references, cdr::TaggedProfile& tagged, const AddedComponents& added) {
  auto known = reference::read_profile(references, tagged);
  if (!known || known->profile.version.minor == 0) return;
  auto& components = known->profile.components;
  for (const IOP::TaggedComponent& one : added.in_all)
    components.push_back({one.tag(), one.component_data()});
  for (const auto& [profile, one] : added.in_some)
    if (profile == tagged.tag) components.push_back({one.tag(), one.component_data()});
  const auto form = known->transport->profile_form();
  tagged = giop::write_profile(known->profile, {form.tag, form.has_port});
}

}  // namespace

std::shared_ptr<reference::ObjectRef> with_components(const reference::ObjectRef& made,
                                                      const AddedComponents& added) {
  reference::References& references = *made.references();
  cdr::Ior ior = made.ior();
  for (cdr::TaggedProfile& tagged : ior.profiles) add(references, tagged, added);
  return std::make_shared<reference::ObjectRef>(
      references.shared(), reference::make_target(references, std::move(ior), made.local_key()));
}

}  // namespace takt::interceptors
