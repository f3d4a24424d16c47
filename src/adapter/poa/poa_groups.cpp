// Group membership of an adapter's objects.
#include <takt/adapter/poa.h>

#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/poa_core.h"
#include "giop/references/group.h"
#include "reference/object_ref.h"
#include "server/group_membership.h"

namespace PortableServer {

namespace {

using takt::giop::GroupProfile;

GroupProfile group_of(const CORBA::object_reference<CORBA::Object>& reference) {
  if (reference && reference->_ref())
    for (const takt::cdr::TaggedProfile& profile : reference->_ref()->ior().profiles)
      if (auto group = takt::giop::read_group_profile(profile)) return std::move(*group);
  throw PortableGroup::NotAGroupObject();
}

takt::server::GroupMembership& groups_of(const takt::adapter::PoaCore& poa) {
  if (auto* const groups = poa.tree.server.groups) return *groups;
  throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "this ORB has no multicast");
}

takt::ByteView key_of(const CORBA::object_reference<CORBA::Object>& own) { return own->_ref()->local_key(); }

}  // namespace

ObjectId POA::create_id_for_reference(CORBA::object_reference<CORBA::Object> group) {
  const GroupProfile profile = group_of(group);
  const auto member = create_reference(group->_ref()->ior().type_id);
  groups_of(*core_).associate(profile, key_of(member));
  return reference_to_id(member);
}

std::vector<ObjectId> POA::reference_to_ids(CORBA::object_reference<CORBA::Object> group) {
  std::vector<ObjectId> ids;
  for (const auto& key : groups_of(*core_).members(group_of(group)))
    if (auto id = core_->id_in(key)) ids.push_back(std::move(*id));
  return ids;
}

void POA::associate_reference_with_id(CORBA::object_reference<CORBA::Object> group, const ObjectId& id) {
  const GroupProfile profile = group_of(group);
  auto& groups = groups_of(*core_);
  for (const auto& key : groups.members(profile))
    if (core_->id_in(key) == id) return;
  groups.associate(profile, key_of(create_reference_with_id(id, "")));
}

// Searches by id, since the key may have been different before the activation.
void POA::disassociate_reference_with_id(CORBA::object_reference<CORBA::Object> group, const ObjectId& id) {
  const GroupProfile profile = group_of(group);
  auto& groups = groups_of(*core_);
  for (const auto& key : groups.members(profile))
    if (core_->id_in(key) == id && groups.disassociate(profile, key)) return;
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the object is not a member of the group");
}

}  // namespace PortableServer
