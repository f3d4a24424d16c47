#include "events/service/refusals.h"

#include <string>

#include "CosEventChannelAdminC.h"

namespace takt::events {

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
    case Refusal::name_taken:
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "another channel has the name");
    case Refusal::gone:
      break;
  }
  throw_gone("proxy");
}

}  // namespace takt::events
