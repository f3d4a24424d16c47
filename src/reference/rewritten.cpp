#include "reference/rewritten.h"

#include <algorithm>
#include <optional>

#include "reference/object_ref.h"
#include "reference/profiles.h"
#include "reference/references.h"

namespace takt::reference {

namespace {

// The profiles that we understand, each with `change` applied; the others are left out.
template <class Change>
std::vector<cdr::TaggedProfile> changed(const References& references,
                                        const std::vector<cdr::TaggedProfile>& profiles, Change change) {
  std::vector<cdr::TaggedProfile> result;
  for (const cdr::TaggedProfile& tagged : profiles) {
    auto known = read_profile(references, tagged);
    if (!known) continue;
    change(known->profile);
    const auto form = known->transport->profile_form();
    result.push_back(giop::write_profile(known->profile, {form.tag, form.has_port}));
  }
  return result;
}

std::optional<giop::IiopProfile> first_profile(const References& references, const cdr::Ior& ior) {
  for (const cdr::TaggedProfile& tagged : ior.profiles)
    if (auto known = read_profile(references, tagged)) return std::move(known->profile);
  return std::nullopt;
}

// Copies the components that determine the encoding from `inner`.
void take_encoding(giop::IiopProfile& outer, const giop::IiopProfile& inner) {
  outer.version.minor = std::min(outer.version.minor, inner.version.minor);
  const auto is_about_encoding = [](const giop::TaggedComponent& component) {
    return component.tag == giop::orb_type_component || component.tag == giop::code_sets_component;
  };
  std::erase_if(outer.components, is_about_encoding);
  if (outer.version.minor == 0) {
    outer.components.clear();
    return;
  }
  auto place = outer.components.begin();
  for (const giop::TaggedComponent& component : inner.components)
    if (is_about_encoding(component)) place = outer.components.insert(place, component) + 1;
}

}  // namespace

cdr::Ior with_object_key(const References& references, const cdr::Ior& ior, ByteView object_key) {
  return {ior.type_id, changed(references, ior.profiles, [&](giop::IiopProfile& profile) {
            profile.object_key.assign(object_key.begin(), object_key.end());
          })};
}

std::optional<cdr::Ior> bridged_ior(const References& references, const cdr::Ior& inner,
                                    ByteView object_key) {
  const auto model = first_profile(references, inner);
  if (!model) return std::nullopt;
  Publication where;
  if (const auto* policies = model->find(giop::policies_component))
    where.priorities = giop::read_policies_component(*policies);
  return cdr::Ior{
      inner.type_id,
      changed(references, make_profiles(references, object_key, where.priorities ? &where : nullptr),
              [&](giop::IiopProfile& profile) { take_encoding(profile, *model); })};
}

std::shared_ptr<ObjectRef> make_bridged_reference(References& references, const cdr::Ior& inner,
                                                  ByteView object_key) {
  auto outer = bridged_ior(references, inner, object_key);
  if (!outer) return nullptr;
  return std::make_shared<ObjectRef>(references.shared(),
                                     make_target(references, std::move(*outer), object_key));
}

}  // namespace takt::reference
