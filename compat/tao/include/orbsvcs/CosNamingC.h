// The naming service's stubs, in module CosNaming.
#pragma once

#include <orbsvcs/CosNaming_takt_C.h>
#include <tao/corba.h>
