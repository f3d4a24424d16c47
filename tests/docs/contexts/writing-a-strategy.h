// The page's plug-ins are examples.
#pragma once

#include "plain.h"

#define takt_plugin plugin_of_the_example
#include "../../../examples/plugin/shortest.cpp"
#undef takt_plugin
#define takt_plugin second_plugin_of_the_example
#define takt_personalities personalities_of_the_example
#include "../../../examples/plugin/gateway.cpp"
#undef takt_personalities
#undef takt_plugin
