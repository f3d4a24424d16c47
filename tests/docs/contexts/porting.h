// IDL: tests/interop/porting/stock.idl
// IDL: idl/CosNaming.idl
#pragma once

#include "plain.h"

#include "CosNamingC.h"
#include "stockS.h"
