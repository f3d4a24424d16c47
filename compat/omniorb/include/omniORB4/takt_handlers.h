// omniORB's handlers of system exceptions: functions that decide whether a call that failed is made again.
// Each is asked about its kind of exception, that of System about all but the other three, and gets the
// number of repetitions so far. A null handler is none. Handlers for a reference prevail over those for all;
// they are those of all references that were duplicated or narrowed from it (<takt/classic/retries.h>).
#pragma once

#include <omniORB4/takt_texts.h>
#include <takt/classic/retries.h>

namespace takt {
namespace omniorb {

template <class Failure>
struct FailureHandlers {
  typedef CORBA::Boolean (*Plain)(void* cookie, CORBA::ULong n_retries, const Failure& ex);
  typedef CORBA::Boolean (*Ext)(void* cookie, CORBA::ULong n_retries, const Failure& ex,
                                CORBA::Object_ptr obj, const char* op);

  static bool ask(const classic::RetryRule& rule, CORBA::ULong retries, const CORBA::SystemException& failure,
                  CORBA::Object_ptr, const char*) {
    return reinterpret_cast<Plain>(rule.function)(rule.cookie, retries,
                                                  dynamic_cast<const Failure&>(failure));
  }
  static bool ask_ext(const classic::RetryRule& rule, CORBA::ULong retries,
                      const CORBA::SystemException& failure, CORBA::Object_ptr target,
                      const char* operation) {
    return reinterpret_cast<Ext>(rule.function)(rule.cookie, retries, dynamic_cast<const Failure&>(failure),
                                                target, operation);
  }
  static classic::RetryRule rule(void* cookie, Plain fn) {
    return {fn ? &ask : nullptr, reinterpret_cast<void (*)()>(fn), cookie};
  }
  static classic::RetryRule rule_ext(void* cookie, Ext fn) {
    return {fn ? &ask_ext : nullptr, reinterpret_cast<void (*)()>(fn), cookie};
  }
};

}  // namespace omniorb
}  // namespace takt

namespace omniORB {

typedef takt::omniorb::FailureHandlers<CORBA::TRANSIENT>::Plain transientExceptionHandler_t;
typedef takt::omniorb::FailureHandlers<CORBA::TRANSIENT>::Ext transientExceptionHandlerExt_t;
inline void installTransientExceptionHandler(void* cookie, transientExceptionHandler_t fn) {
  takt::classic::set_retry_rule(takt::classic::FailureKind::transient,
                                takt::omniorb::FailureHandlers<CORBA::TRANSIENT>::rule(cookie, fn));
}
inline void installTransientExceptionHandler(CORBA::Object_ptr obj, void* cookie,
                                             transientExceptionHandler_t fn) {
  takt::classic::set_retry_rule(obj, takt::classic::FailureKind::transient,
                                takt::omniorb::FailureHandlers<CORBA::TRANSIENT>::rule(cookie, fn));
}
inline void installTransientExceptionHandlerExt(void* cookie, transientExceptionHandlerExt_t fn) {
  takt::classic::set_retry_rule(takt::classic::FailureKind::transient,
                                takt::omniorb::FailureHandlers<CORBA::TRANSIENT>::rule_ext(cookie, fn));
}
inline void installTransientExceptionHandlerExt(CORBA::Object_ptr obj, void* cookie,
                                                transientExceptionHandlerExt_t fn) {
  takt::classic::set_retry_rule(obj, takt::classic::FailureKind::transient,
                                takt::omniorb::FailureHandlers<CORBA::TRANSIENT>::rule_ext(cookie, fn));
}

typedef takt::omniorb::FailureHandlers<CORBA::TIMEOUT>::Plain timeoutExceptionHandler_t;
typedef takt::omniorb::FailureHandlers<CORBA::TIMEOUT>::Ext timeoutExceptionHandlerExt_t;
inline void installTimeoutExceptionHandler(void* cookie, timeoutExceptionHandler_t fn) {
  takt::classic::set_retry_rule(takt::classic::FailureKind::timeout,
                                takt::omniorb::FailureHandlers<CORBA::TIMEOUT>::rule(cookie, fn));
}
inline void installTimeoutExceptionHandler(CORBA::Object_ptr obj, void* cookie,
                                           timeoutExceptionHandler_t fn) {
  takt::classic::set_retry_rule(obj, takt::classic::FailureKind::timeout,
                                takt::omniorb::FailureHandlers<CORBA::TIMEOUT>::rule(cookie, fn));
}
inline void installTimeoutExceptionHandlerExt(void* cookie, timeoutExceptionHandlerExt_t fn) {
  takt::classic::set_retry_rule(takt::classic::FailureKind::timeout,
                                takt::omniorb::FailureHandlers<CORBA::TIMEOUT>::rule_ext(cookie, fn));
}
inline void installTimeoutExceptionHandlerExt(CORBA::Object_ptr obj, void* cookie,
                                              timeoutExceptionHandlerExt_t fn) {
  takt::classic::set_retry_rule(obj, takt::classic::FailureKind::timeout,
                                takt::omniorb::FailureHandlers<CORBA::TIMEOUT>::rule_ext(cookie, fn));
}

typedef takt::omniorb::FailureHandlers<CORBA::COMM_FAILURE>::Plain commFailureExceptionHandler_t;
typedef takt::omniorb::FailureHandlers<CORBA::COMM_FAILURE>::Ext commFailureExceptionHandlerExt_t;
inline void installCommFailureExceptionHandler(void* cookie, commFailureExceptionHandler_t fn) {
  takt::classic::set_retry_rule(takt::classic::FailureKind::comm_failure,
                                takt::omniorb::FailureHandlers<CORBA::COMM_FAILURE>::rule(cookie, fn));
}
inline void installCommFailureExceptionHandler(CORBA::Object_ptr obj, void* cookie,
                                               commFailureExceptionHandler_t fn) {
  takt::classic::set_retry_rule(obj, takt::classic::FailureKind::comm_failure,
                                takt::omniorb::FailureHandlers<CORBA::COMM_FAILURE>::rule(cookie, fn));
}
inline void installCommFailureExceptionHandlerExt(void* cookie, commFailureExceptionHandlerExt_t fn) {
  takt::classic::set_retry_rule(takt::classic::FailureKind::comm_failure,
                                takt::omniorb::FailureHandlers<CORBA::COMM_FAILURE>::rule_ext(cookie, fn));
}
inline void installCommFailureExceptionHandlerExt(CORBA::Object_ptr obj, void* cookie,
                                                  commFailureExceptionHandlerExt_t fn) {
  takt::classic::set_retry_rule(obj, takt::classic::FailureKind::comm_failure,
                                takt::omniorb::FailureHandlers<CORBA::COMM_FAILURE>::rule_ext(cookie, fn));
}

typedef takt::omniorb::FailureHandlers<CORBA::SystemException>::Plain systemExceptionHandler_t;
typedef takt::omniorb::FailureHandlers<CORBA::SystemException>::Ext systemExceptionHandlerExt_t;
inline void installSystemExceptionHandler(void* cookie, systemExceptionHandler_t fn) {
  takt::classic::set_retry_rule(takt::classic::FailureKind::other,
                                takt::omniorb::FailureHandlers<CORBA::SystemException>::rule(cookie, fn));
}
inline void installSystemExceptionHandler(CORBA::Object_ptr obj, void* cookie, systemExceptionHandler_t fn) {
  takt::classic::set_retry_rule(obj, takt::classic::FailureKind::other,
                                takt::omniorb::FailureHandlers<CORBA::SystemException>::rule(cookie, fn));
}
inline void installSystemExceptionHandlerExt(void* cookie, systemExceptionHandlerExt_t fn) {
  takt::classic::set_retry_rule(takt::classic::FailureKind::other,
                                takt::omniorb::FailureHandlers<CORBA::SystemException>::rule_ext(cookie, fn));
}
inline void installSystemExceptionHandlerExt(CORBA::Object_ptr obj, void* cookie,
                                             systemExceptionHandlerExt_t fn) {
  takt::classic::set_retry_rule(obj, takt::classic::FailureKind::other,
                                takt::omniorb::FailureHandlers<CORBA::SystemException>::rule_ext(cookie, fn));
}

}  // namespace omniORB
