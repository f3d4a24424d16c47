#include "notification/service/admin_servants.h"

#include "notification/service/channel_servant.h"
#include "notification/service/set_servants.h"

namespace takt::notification {

Combine combination_of(CosNotifyChannelAdmin::InterFilterGroupOperator op) {
  return op == CosNotifyChannelAdmin::InterFilterGroupOperator::OR_OP ? Combine::either : Combine::all;
}

Form form_of(CosNotifyChannelAdmin::ClientType type) {
  using CosNotifyChannelAdmin::ClientType;
  if (type == ClientType::STRUCTURED_EVENT) return Form::structured;
  return type == ClientType::SEQUENCE_EVENT ? Form::sequence : Form::any;
}

void set_admin_servants(Registry& registry, const Adapters& adapters) {
  adapters.channels->set_servant(CORBA::make_reference<ChannelServant>(registry, adapters));
  adapters.consumer_admins->set_servant(CORBA::make_reference<ConsumerAdminServant>(registry, adapters));
  adapters.supplier_admins->set_servant(CORBA::make_reference<SupplierAdminServant>(registry, adapters));
}

}  // namespace takt::notification
