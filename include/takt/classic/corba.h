// All of the classic IDL to C++ mapping that a program with generated code needs. C++14.
#pragma once

#include <takt/classic/abstract.h>
#include <takt/classic/any.h>
#include <takt/classic/array.h>
#include <takt/classic/basic_types.h>
#include <takt/classic/call.h>
#include <takt/classic/data_streams.h>
#include <takt/classic/dispatch.h>
#include <takt/classic/exception.h>
#include <takt/classic/fixed.h>
#include <takt/classic/object.h>
#include <takt/classic/orb.h>
#include <takt/classic/orb_types.h>
#include <takt/classic/poa.h>
#include <takt/classic/policies.h>
#include <takt/classic/request.h>
#include <takt/classic/sequence.h>
#include <takt/classic/servant.h>
#include <takt/classic/servant_manager.h>
#include <takt/classic/server_request.h>
#include <takt/classic/string.h>
#include <takt/classic/system_exceptions.h>
#include <takt/classic/type_code.h>
#include <takt/classic/type_members.h>
#include <takt/classic/value.h>
#include <takt/classic/value_servant.h>
