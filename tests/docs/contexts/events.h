// C++23
// IDL: idl/CosNaming.idl
// IDL: idl/CosEventComm.idl
// IDL: idl/CosEventChannelAdmin.idl
// IDL: idl/CosLifeCycle.idl
// IDL: idl/omniEvents.idl
#pragma once

#include "plain.h"
