// For programs that include it by its old name.
#pragma once

#include <takt/lookup/lookup_policy.h>
