// The page's plug-in is an example.
#pragma once

#include "plain.h"

#include <takt/rt/protocols.h>
#include <takt/rt/rtcorba.h>

#define takt_plugin plugin_of_the_example
#include "../../../examples/plugin/checked.cpp"
#undef takt_plugin

inline IDL::traits<RTCORBA::RTORB>::ref_type rt;
