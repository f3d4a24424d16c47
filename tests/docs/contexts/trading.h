// C++23
// IDL: idl/CosTrading.idl
#pragma once

#include "plain.h"
