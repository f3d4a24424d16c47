// Turnstile.
#pragma once

#include <takt/adapter/entrance.h>
