// Servants of the classic mapping: counting, dispatching, and how their exceptions become answers.
#include <takt/classic/servant.h>

#include <cstring>

#include <takt/classic/poa.h>

#include "classic/bridge/orb_bridge.h"
#include "classic/mapping/asked.h"

namespace takt {
namespace classic {

const char* const no_exceptions[1] = {nullptr};

namespace {

bool lists(const Entry& entry, const char* repository_id) {
  for (const char* const* id = entry.raises; *id; ++id)
    if (std::strcmp(*id, repository_id) == 0) return true;
  return false;
}

void answer(Upcall& call, const Entry& entry, const CORBA::UserException& exception) {
  if (!response_expected(call)) return;
  if (lists(entry, exception._rep_id())) {
    exception._takt_write(begin_user_exception(call, exception._rep_id()));
  } else {
    answer_system_exception(call, "IDL:omg.org/CORBA/UNKNOWN:1.0", not_listed_minor, CORBA::COMPLETED_MAYBE,
                            "the servant threw a user exception that its operation does not raise");
  }
}

}  // namespace

bool answer_current_exception(Upcall& call, const Entry& entry) {
  try {
    throw;
  } catch (const CORBA::SystemException& exception) {
    answer_system_exception(call, exception._rep_id(), exception.minor(), exception.completed(),
                            exception._text());
  } catch (const CORBA::UserException& exception) {
    answer(call, entry, exception);
  } catch (...) {
    return false;
  }
  return true;
}

void throw_current_in_runtime() {
  try {
    throw;
  } catch (const CORBA::SystemException& exception) {
    throw_in_runtime(exception._rep_id(), exception.minor(), exception.completed(), exception._text());
  } catch (const CORBA::UserException& exception) {
    throw_user_in_runtime(exception._rep_id(), exception._name());
  }
}

}  // namespace classic
}  // namespace takt

namespace PortableServer {
inline namespace takt_classic_ {

ServantBase::ServantBase() : count_(1) {}
ServantBase::ServantBase(const ServantBase& from) : takt::classic::Servant(from), count_(1) {}
ServantBase& ServantBase::operator=(const ServantBase&) { return *this; }
ServantBase::~ServantBase() {}

POA_ptr ServantBase::_default_POA() {
  return takt::classic::Proxies<POA>::make(takt::classic::poa::default_poa(*this));
}
CORBA::Boolean ServantBase::_is_a(const char* repository_id) {
  return _takt_supports(repository_id) || std::strcmp(repository_id, CORBA::Object::_PD_repoId) == 0;
}
CORBA::Boolean ServantBase::_non_existent() { return false; }
void ServantBase::_add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
void ServantBase::_remove_ref() {
  if (count_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // A reference that the destructor takes and drops, as servant_to_id(this) does, must not delete the servant
  // again.
  count_.store(1, std::memory_order_relaxed);
  delete this;
}
CORBA::ULong ServantBase::_refcount_value() { return count_.load(); }

bool ServantBase::_takt_dispatch_local(const takt::classic::Operation& operation, void** arguments) {
  void* skeleton = nullptr;
  const takt::classic::Entry* const entry = _takt_find(operation.name, operation.length, skeleton);
  if (!entry || entry->operation != &operation) return false;
  try {
    entry->serve_local(skeleton, arguments);
  } catch (const CORBA::SystemException&) {
    if (!operation.one_way) throw;
  } catch (const CORBA::UserException& exception) {
    if (operation.one_way) return true;
    if (takt::classic::lists(*entry, exception._rep_id())) throw;
    throw CORBA::UNKNOWN(takt::classic::not_listed_minor, CORBA::COMPLETED_MAYBE);
  } catch (...) {
    if (!operation.one_way) throw CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE);
  }
  return true;
}

bool ServantBase::_takt_is_a(const char* repository_id) { return _is_a(repository_id); }
bool ServantBase::_takt_non_existent() { return _non_existent(); }
takt::classic::Reference* ServantBase::_takt_default_poa() {
  const POA_var poa = _default_POA();
  return CORBA::is_nil(poa.in()) ? nullptr : takt::classic::duplicate(poa->_takt_reference());
}
void ServantBase::_takt_add_ref() { _add_ref(); }
void ServantBase::_takt_remove_ref() { _remove_ref(); }

}  // namespace takt_classic_
}  // namespace PortableServer
