#include "interceptors/ior/adapter_template.h"

#include <mutex>
#include <utility>

#include "adapter/poa/adapter_tree.h"
#include "interceptors/common/adapter_name.h"

namespace takt::interceptors {

namespace {

bool exists(const adapter::PoaCore& poa) {
  const std::lock_guard lock(poa.tree.table.mutex);
  return poa.self != adapter::SlotName() && !poa.destroying;
}

}  // namespace

AdapterTemplate::AdapterTemplate(const adapter::PoaCore& poa, std::string orb_id, std::string server_id)
    : poa_(poa.weak_from_this()),
      orb_id_(std::move(orb_id)),
      server_id_(std::move(server_id)),
      name_(adapter_name_of(poa)) {}

CORBA::object_reference<CORBA::Object> AdapterTemplate::make_object(const std::string& repository_id,
                                                                    const PortableServer::ObjectId& id) {
  const auto poa = std::const_pointer_cast<adapter::PoaCore>(poa_.lock());
  if (!poa || !exists(*poa))
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the adapter does not exist, or not yet");
  return poa->reference()->create_reference_with_id(id, repository_id);
}

void AdapterTemplate::_write_state(cdr::Encoder& encoder) const { encoder.fail(cdr::Error::local_object); }
bool AdapterTemplate::_read_state(cdr::Decoder&) { return false; }

}  // namespace takt::interceptors
