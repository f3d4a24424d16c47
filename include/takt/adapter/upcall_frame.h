// UpcallFrame.
#pragma once

#include <takt/adapter/entrance.h>
