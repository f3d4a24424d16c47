// Portable Interceptors and codecs, whole.
#pragma once

#include <tao/PI/PI.h>
