// Module TimeBase has no interfaces.
#pragma once

#include <tao/TimeBaseC.h>
