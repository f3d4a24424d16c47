// IDL: tests/docs/contexts/office.idl --amh
#pragma once

#include "plain.h"

#include <functional>

#include "officeS.h"

void in_another_thread(std::function<void()> work);
