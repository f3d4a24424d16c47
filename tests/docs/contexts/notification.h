// C++23
// IDL: idl/CosNaming.idl
// IDL: idl/CosEventComm.idl
// IDL: idl/CosEventChannelAdmin.idl
// IDL: idl/CosLifeCycle.idl
// IDL: idl/omniEvents.idl
// IDL: idl/CosNotification.idl
// IDL: idl/CosNotifyComm.idl
// IDL: idl/CosNotifyFilter.idl
// IDL: idl/CosNotifyChannelAdmin.idl
// IDL: idl/NotifyMonitoringExt.idl
#pragma once

#include "CosNotifyCommC.h"
#include "plain.h"

inline CORBA::object_reference<CosNotifyComm::StructuredPushConsumer> consumer;
