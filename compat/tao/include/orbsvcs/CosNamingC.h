// The naming service's stubs, in module CosNaming.
#pragma once

#include <tao/corba.h>

#include <orbsvcs/CosNaming_takt_C.h>
