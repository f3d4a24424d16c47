#pragma once

#include "plain.h"

#include <iostream>

#include <takt/orb/asynchronous.h>

#include "greetingC.h"

inline IDL::traits<Greeter>::ref_type greeter;

struct Printer : AMI_GreeterHandler {};
