// Definitions as the IDL has them.
#pragma once

#include "Takt_ActivationC.h"
#include "imr/model/definition.h"

namespace takt::imr {

Definition definition_from(const Takt::Activation::Definition& definition);
Takt::Activation::Definition definition_to(const Definition& definition);

}  // namespace takt::imr
