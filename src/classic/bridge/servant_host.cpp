#include "classic/bridge/servant_host.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include <takt/adapter/current.h>
#include <takt/adapter/poa.h>
#include <takt/adapter/skeleton.h>
#include <takt/reference/reference_codec.h>
#include <takt/reference/watched_call.h>

#include "classic/bridge/memory.h"
#include "threads/locks/priority_mutex.h"

namespace takt::classic {

// Counted by the servant and its hosts.
class ServantLink {
 public:
  void add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  void remove_ref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  os::PriorityMutex mutex;
  std::weak_ptr<ServantHost> host;
  std::atomic<bool> servant_lives{true};

 private:
  std::atomic<std::uint32_t> count_{1};
};

Servant::Servant() : link_(new ServantLink) {}
Servant::Servant(const Servant&) : link_(new ServantLink) {}
Servant::~Servant() {
  link_->servant_lives = false;
  link_->remove_ref();
}

CORBA::servant_reference<ServantHost> host_of(classic::Servant& servant) {
  ServantLink& link = servant._takt_link();
  const std::lock_guard lock(link.mutex);
  if (auto host = link.host.lock()) return CORBA::servant_reference<ServantHost>(std::move(host));
  auto host = CORBA::make_reference<ServantHost>(servant);
  link.host = host.shared();
  return host;
}

CORBA::servant_reference<ServantHost> present_host_of(classic::Servant& servant) {
  ServantLink& link = servant._takt_link();
  const std::lock_guard lock(link.mutex);
  return CORBA::servant_reference<ServantHost>(link.host.lock());
}

ServantHost::ServantHost(classic::Servant& servant) : servant_(servant), link_(servant._takt_link()) {
  servant_._takt_add_ref();
  link_.add_ref();
}
ServantHost::~ServantHost() {
  if (link_.servant_lives) servant_._takt_remove_ref();
  link_.remove_ref();
}

template <bool notes>
inline bool ServantHost::dispatch(server::ServerCall& call) {
  const std::string_view operation = call.operation();
  void* skeleton;
  const Entry* const entry = servant_._takt_find(operation.data(), operation.size(), skeleton);
  if constexpr (notes) call.note_operation(entry);
  if (!entry) [[unlikely]]
    return servant_._takt_serve(upcall(call));
  try {
    entry->serve(skeleton, reader(call.arguments()), upcall(call));
  } catch (...) {
    if (!answer_current_exception(upcall(call), *entry))
      adapter::answer_exception(call, [](server::ServerCall&, const CORBA::UserException&) { return false; });
  }
  adapter::detail::check_results(call);
  return true;
}
bool ServantHost::_dispatch(server::ServerCall& call) { return dispatch<false>(call); }
bool ServantHost::_dispatch_searching(server::ServerCall& call, adapter::OperationSearch search) {
  return search != adapter::OperationSearch::find && dispatch<true>(call);
}
bool ServantHost::_dispatch_local(const OperationId& operation, void* arguments) {
  try {
    return servant_._takt_dispatch_local(reinterpret_cast<const Operation&>(operation),
                                         static_cast<void**>(arguments));
  } catch (...) {
    if (reference::WatchedCall::any()) throw_current_in_runtime();
    throw;
  }
}

bool ServantHost::_is_a(const std::string& repository_id) {
  return servant_._takt_is_a(repository_id.c_str());
}
bool ServantHost::_non_existent() { return servant_._takt_non_existent(); }
std::string ServantHost::_repository_id() {
  if (const char* const id = servant_._takt_repository_id()) return id;
  try {
    PortableServer::Current current;
    return _repository_id_of(current.get_object_id(), current.get_POA());
  } catch (const PortableServer::Current::NoContext&) {
    return PortableServer::Servant::_repository_id();
  }
}
std::string ServantHost::_repository_id_of(const PortableServer::ObjectId& id,
                                           const CORBA::object_reference<PortableServer::POA>& poa) {
  if (const char* const one = servant_._takt_repository_id()) return one;
  Reference* const adapter = refer(poa);
  const std::unique_ptr<Reference, void (*)(Reference*)> lent(adapter, &release);
  const std::unique_ptr<char, void (*)(char*)> text(
      servant_._takt_primary_interface(id.data(), id.size(), adapter), &free_text);
  if (!text)
    throw CORBA::OBJ_ADAPTER(0, CORBA::COMPLETED_NO,
                             "_primary_interface() of a servant returned a null pointer");
  return text.get();
}

CORBA::object_reference<PortableServer::POA> ServantHost::_default_POA() {
  Reference* const chosen = servant_._takt_default_poa();
  if (!chosen) return PortableServer::Servant::_default_POA();
  const auto poa = IDL::traits<PortableServer::POA>::narrow(chosen->object());
  release(chosen);
  return poa;
}

Reference* ServantHost::this_reference() {
  return translating([&] { return refer(reference::make_stub<CORBA::Object>(_this_ref())); });
}

Reference* this_reference(classic::Servant& servant) { return host_of(servant)->this_reference(); }

char* Servant::_takt_primary_interface(const unsigned char*, std::size_t, Reference*) { return nullptr; }
bool Servant::_takt_serve(Upcall&) { return false; }

bool arguments_read(Upcall& call) {
  server::ServerCall& request = server_call(call);
  if (request.arguments().ok()) [[likely]]
    return true;
  adapter::refuse(request, request.arguments().error(), CORBA::COMPLETED_NO,
                  "the arguments can't be decoded");
  return false;
}

Writer* begin_reply(Upcall& call, bool has_results) {
  server::ServerCall& request = server_call(call);
  if (!request.response_expected()) return nullptr;
  cdr::Encoder& out = request.begin_reply(has_results);
  out.set_borrowing(false);  // the values are destroyed before the reply is sent
  return &writer(out);
}

Writer& begin_user_exception(Upcall& call, const char* repository_id) {
  cdr::Encoder& out = server_call(call).begin_user_exception(repository_id);
  out.set_borrowing(false);
  return writer(out);
}

bool response_expected(const Upcall& call) {
  return server_call(const_cast<Upcall&>(call)).response_expected();
}

void answer_system_exception(Upcall& call, const char* repository_id, std::uint32_t minor,
                             std::uint32_t completed, const char* text) {
  try {
    cdr::raise_system_exception(repository_id, minor, static_cast<CORBA::CompletionStatus>(completed), text);
  } catch (const CORBA::SystemException& exception) {
    server_call(call).system_exception(exception);
  }
}

}  // namespace takt::classic
