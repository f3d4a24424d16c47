// The name that omniORB's compiler gives to the header that peers/omniorb includes.
#pragma once

#include "cubeS.h"
