// The naming service's stubs and skeletons, in module CosNaming.
#pragma once

#include <omniORB4/takt_texts.h>

#include <omniORB4/CosNaming_takt_S.hh>
