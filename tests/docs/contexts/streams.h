// C++23
// IDL: idl/CosPropertyService.idl
// IDL: idl/AVStreams.idl
// IDL: idl/Takt_Streams.idl
#pragma once

#include "plain.h"
