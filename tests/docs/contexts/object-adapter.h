// IDL: tests/feature/adapter/bank.idl
#pragma once

#include "plain.h"

#include <takt/adapter/direct.h>
#include <takt/lookup/lookup_policy.h>

#include "bankS.h"

inline IDL::traits<Bank::Account>::ref_type account;
inline takt::LookupStrategies strategies;
const takt::IdTable& known_accounts();
