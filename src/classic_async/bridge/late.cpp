#include "classic_async/bridge/late_bridge.h"

#include <exception>
#include <string>

#include <takt/adapter/late_skeleton.h>
#include <takt/adapter/servant_manager.h>

#include "classic/bridge/runtime.h"
#include "classic/bridge/types.h"

namespace takt::classic {

namespace {

server::LateAnswer& answer_behind(void* answer) { return *static_cast<server::LateAnswer*>(answer); }
server::LateAnswer::Giving& giving_behind(void* giving) {
  return *static_cast<server::LateAnswer::Giving*>(giving);
}
bool none_listed(server::ServerCall&, const CORBA::UserException&) { return false; }

}  // namespace

void* take_answer(Upcall& call, const char* operation) {
  return translating([&]() -> void* { return new server::LateAnswer(server_call(call), operation); });
}
void drop_answer(void* answer) { delete &answer_behind(answer); }

void* begin_giving(void* answer, const char* operation) {
  return translating([&]() -> void* {
    server::LateAnswer& late = answer_behind(answer);
    if (late.operation() != operation) adapter::detail::throw_wrong_operation(operation, late.operation());
    return new server::LateAnswer::Giving(late);
  });
}
Upcall& call_of_giving(void* giving) { return upcall(giving_behind(giving).call()); }
void end_giving(void* giving) {
  if (giving_behind(giving).is_wanted()) adapter::detail::check_results(giving_behind(giving).call());
  delete &giving_behind(giving);
}

void answer_foreign_exception(Upcall& call) {
  adapter::answer_with(server_call(call), std::current_exception(), &none_listed);
}

void forward_caller(Upcall& call, Reference* to) {
  adapter::answer_with(server_call(call),
                       std::make_exception_ptr(PortableServer::ForwardRequest(object_of(to))), &none_listed);
}

}  // namespace takt::classic
