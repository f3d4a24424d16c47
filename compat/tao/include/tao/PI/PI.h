// Portable Interceptors and codecs, whole.
#pragma once

#include <takt/classic/interceptors.h>
#include <tao/corba.h>
