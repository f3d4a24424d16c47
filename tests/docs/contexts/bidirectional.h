#pragma once

#include "plain.h"

#include <takt/reference/policy_manager.h>
