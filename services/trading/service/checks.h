// Checks of arguments, which raise the standard's exceptions.
#pragma once

#include <string>
#include <vector>

#include "trading/model/limits.h"
#include "trading/model/offer.h"
#include "trading/model/types.h"
#include "trading/query/criteria.h"
#include "trading/service/parts.h"

namespace takt::trading {

[[noreturn]] void throw_limit(const std::string& text);  // IMP_LIMIT
// PERSIST_STORE unless it was written.
void require_written(const Journal::Outcome& outcome);

// The type with the name in the repository that the trader uses, which may be a call to another process: no
// lock is held. IllegalServiceType, UnknownServiceType, and TRANSIENT if a remote repository does not answer.
TypePtr existing_type(const Parts& parts, const std::string& name);
// The same for a new offer, of a type that is not masked now.
TypePtr offered_type(const Parts& parts, const std::string& name);
// The type with the name in the trader's own repository. IllegalServiceType, UnknownServiceType.
TypePtr own_type(const Parts& parts, const std::string& name);
// IllegalConstraint.
Criterion criterion_of(const std::string& text, const Limits& limits);
// The number in an id. IllegalOfferId.
OfferNumber existing_number(const std::string& id);

// IllegalPropertyName, DuplicatePropertyName.
void check_names(const CosTrading::PropertyNameSeq& names, const Limits& limits);
// The properties as an offer of the type has them. IllegalPropertyName, DuplicatePropertyName,
// PropertyTypeMismatch, ReadonlyDynamicProperty.
std::vector<OfferProperty> checked_properties(const CosTrading::PropertySeq& given, const ServiceType& type,
                                              bool takes_dynamic, const Limits& limits);
// MissingMandatoryProperty.
void check_mandatory(const std::vector<OfferProperty>& properties, const ServiceType& type);

CosTrading::PropertySeq idl_of(const std::vector<OfferProperty>& properties);

}  // namespace takt::trading
