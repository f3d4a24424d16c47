#include "events/service/refusals.h"

#include <string>

#include "CosEventChannelAdminC.h"

namespace takt::events {
namespace {

constexpr const char* cannot_be_written = "the event service cannot write its store; its own output says why";

}  // namespace

void throw_gone(const char* of) {
  throw CORBA::OBJECT_NOT_EXIST(
      0, CORBA::COMPLETED_NO, std::string("the ") + of + " was destroyed, or never existed: obtain another");
}

void throw_refusal(Refusal refusal) {
  switch (refusal) {
    case Refusal::too_many:
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             "the event service has as many channels or proxies as it may have: destroy or "
                             "disconnect some, or raise its limit");
    case Refusal::already_connected:
      throw CosEventChannelAdmin::AlreadyConnected();
    case Refusal::too_long:
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             "the reference or name is longer than the event service accepts");
    case Refusal::not_stored:
      throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO, cannot_be_written);
    case Refusal::maybe_stored:
      throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_MAYBE, cannot_be_written);
    case Refusal::name_taken:
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "another channel has the name");
    case Refusal::gone:
      break;
  }
  throw_gone("proxy");
}

}  // namespace takt::events
