#pragma once

#include "plain.h"
