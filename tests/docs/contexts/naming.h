// C++23
// IDL: idl/CosNaming.idl
#pragma once

#include "plain.h"
