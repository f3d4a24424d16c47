// All that a program with generated code needs: the ORB, the object adapter, and what stubs and skeletons
// stand on.
#pragma once

#include <takt/adapter/poa.h>
#include <takt/adapter/servant.h>
#include <takt/cdr/any.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/typecode.h>
#include <takt/cdr/value.h>
#include <takt/connection/local_object.h>
#include <takt/connection/object.h>
#include <takt/connection/policy.h>
#include <takt/connection/reference_codec.h>
#include <takt/orb/orb.h>
