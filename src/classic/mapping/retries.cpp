#include <takt/classic/retries.h>

#include "classic/bridge/orb_bridge.h"
#include "classic/bridge/retries_bridge.h"
#include "classic/mapping/asked.h"

namespace takt {
namespace classic {

namespace {

void keep(Reference* reference, FailureKind kind, const RetryRule& rule) {
  retries::KeptRule kept;
  kept.decide = reinterpret_cast<void (*)()>(rule.decide);
  kept.function = rule.function;
  kept.cookie = rule.cookie;
  retries::keep(reference, static_cast<std::size_t>(kind), kept);
}

FailureKind kind_of(const CORBA::SystemException& failure) {
  return CORBA::TRANSIENT::_downcast(&failure)      ? FailureKind::transient
         : CORBA::TIMEOUT::_downcast(&failure)      ? FailureKind::timeout
         : CORBA::COMM_FAILURE::_downcast(&failure) ? FailureKind::comm_failure
                                                    : FailureKind::other;
}

}  // namespace

void set_retry_rule(FailureKind kind, const RetryRule& rule) { keep(nullptr, kind, rule); }
void set_retry_rule(CORBA::Object_ptr object, FailureKind kind, const RetryRule& rule) {
  if (CORBA::is_nil(object)) raise_nil();
  keep(&asked(*object), kind, rule);
}

bool retries::ask(Reference& reference, const char* operation, std::uint32_t retries) {
  if (!any()) return false;
  try {
    throw;
  } catch (const CORBA::SystemException& failure) {
    const KeptRule kept = find(reference, static_cast<std::size_t>(kind_of(failure)));
    if (!kept.decide) return false;
    const RetryRule rule{reinterpret_cast<RetryRule::Decide>(kept.decide), kept.function, kept.cookie};
    const CORBA::Object_var target = Proxies<CORBA::Object>::make(duplicate(&reference));
    return rule.decide(rule, retries, failure, target.in(), operation);
  } catch (...) {
    return false;
  }
}

}  // namespace classic
}  // namespace takt
