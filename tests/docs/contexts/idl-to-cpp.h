#pragma once

#include "plain.h"

#include <atomic>

#include "articleS.h"
#include "pointsS.h"
#include "shapesS.h"
#include "sourceS.h"
#include "thermostatS.h"

inline IDL::traits<Source>::ref_type source;
