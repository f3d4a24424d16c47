#pragma once

#include "plain.h"

#include <takt/interceptors/codec.h>
