// Includes everything that a program with generated code needs: the ORB, the object adapter, and the base of
// stubs and skeletons.
#pragma once

#include <takt/adapter/poa.h>
#include <takt/adapter/servant.h>
#include <takt/cdr/any.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/typecode.h>
#include <takt/cdr/value.h>
#include <takt/orb/orb.h>
#include <takt/orb/service_information.h>
#include <takt/reference/local_object.h>
#include <takt/reference/object.h>
#include <takt/reference/policy.h>
#include <takt/reference/reference_codec.h>
