// Portable Interceptors and codecs, whole.
#pragma once

#include <tao/corba.h>

#include <takt/classic/interceptors.h>
