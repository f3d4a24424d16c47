// The naming service's stubs and skeletons, in modules CosNaming and POA_CosNaming.
#pragma once

#include <orbsvcs/CosNamingC.h>
#include <orbsvcs/CosNaming_takt_S.h>
