#include "notification/service/refusals.h"

#include <string>
#include <utility>

#include "CosEventChannelAdminC.h"

namespace takt::notification {

namespace {

constexpr const char* cannot_be_written =
    "the notification service cannot write its store; its own output says why";

}  // namespace

void throw_gone(const char* of) {
  throw CORBA::OBJECT_NOT_EXIST(
      0, CORBA::COMPLETED_NO, std::string("the ") + of + " was destroyed, or never existed: obtain another");
}

void throw_limit(const char* of) {
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                         std::string("the notification service has reached its limit of ") + of);
}

void throw_refusal(Refusal refusal, const char* of) {
  switch (refusal) {
    case Refusal::too_many:
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             "the notification service has as many channels, administrators, proxies or "
                             "filters as it may have: destroy or disconnect some, or raise its limit");
    case Refusal::already_connected:
      throw CosEventChannelAdmin::AlreadyConnected();
    case Refusal::too_long:
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             "the reference or name is longer than the notification service accepts");
    case Refusal::too_large:
      throw CORBA::IMP_LIMIT(
          0, CORBA::COMPLETED_NO,
          "the object has as many types of events as it may have, or the types, constraints "
          "and values of the service take as much memory as they may: remove some");
    case Refusal::name_taken:
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "another channel has the name");
    case Refusal::not_stored:
      throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO, cannot_be_written);
    case Refusal::maybe_stored:
      throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_MAYBE, cannot_be_written);
    case Refusal::gone:
      break;
  }
  throw_gone(of);
}

void throw_refusal(QosRefusal refusal, const char* of) {
  if (auto* unsupported = std::get_if<UnsupportedQos>(&refusal))
    throw_unsupported(std::move(unsupported->errors));
  throw_refusal(std::get<Refusal>(refusal), of);
}

void throw_unsupported(PropertyErrors errors) { throw CosNotification::UnsupportedQoS(std::move(errors)); }
void throw_unsupported_admin(PropertyErrors errors) {
  throw CosNotification::UnsupportedAdmin(std::move(errors));
}

}  // namespace takt::notification
