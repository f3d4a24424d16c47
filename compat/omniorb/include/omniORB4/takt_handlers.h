// omniORB's handlers of system exceptions: functions that decide whether a call that failed is made again.
// Each is asked about its kind of exception, that of System about all but the other three, and gets the
// number of repetitions so far. A null handler is none. Handlers for a reference prevail over those for all;
// they are those of all references that were duplicated or narrowed from it (<takt/classic/retries.h>).
#pragma once

#include <omniORB4/takt_texts.h>
#include <takt/classic/retries.h>

namespace takt {
namespace omniorb {

template <class Failure, classic::FailureKind kind>
struct FailureHandlers {
  typedef CORBA::Boolean (*Plain)(void* cookie, CORBA::ULong n_retries, const Failure& ex);
  typedef CORBA::Boolean (*Ext)(void* cookie, CORBA::ULong n_retries, const Failure& ex,
                                CORBA::Object_ptr obj, const char* op);

  static void install(void* cookie, Plain fn) { classic::set_retry_rule(kind, rule(cookie, fn)); }
  static void install(CORBA::Object_ptr obj, void* cookie, Plain fn) {
    classic::set_retry_rule(obj, kind, rule(cookie, fn));
  }
  static void install(void* cookie, Ext fn) { classic::set_retry_rule(kind, rule(cookie, fn)); }
  static void install(CORBA::Object_ptr obj, void* cookie, Ext fn) {
    classic::set_retry_rule(obj, kind, rule(cookie, fn));
  }

 private:
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
  static classic::RetryRule rule(void* cookie, Ext fn) {
    return {fn ? &ask_ext : nullptr, reinterpret_cast<void (*)()>(fn), cookie};
  }
};
typedef FailureHandlers<CORBA::TRANSIENT, classic::FailureKind::transient> TransientHandlers;
typedef FailureHandlers<CORBA::TIMEOUT, classic::FailureKind::timeout> TimeoutHandlers;
typedef FailureHandlers<CORBA::COMM_FAILURE, classic::FailureKind::comm_failure> CommFailureHandlers;
typedef FailureHandlers<CORBA::SystemException, classic::FailureKind::other> SystemHandlers;

}  // namespace omniorb
}  // namespace takt

namespace omniORB {

typedef takt::omniorb::TransientHandlers::Plain transientExceptionHandler_t;
typedef takt::omniorb::TransientHandlers::Ext transientExceptionHandlerExt_t;
inline void installTransientExceptionHandler(void* cookie, transientExceptionHandler_t fn) {
  takt::omniorb::TransientHandlers::install(cookie, fn);
}
inline void installTransientExceptionHandler(CORBA::Object_ptr obj, void* cookie,
                                             transientExceptionHandler_t fn) {
  takt::omniorb::TransientHandlers::install(obj, cookie, fn);
}
inline void installTransientExceptionHandlerExt(void* cookie, transientExceptionHandlerExt_t fn) {
  takt::omniorb::TransientHandlers::install(cookie, fn);
}
inline void installTransientExceptionHandlerExt(CORBA::Object_ptr obj, void* cookie,
                                                transientExceptionHandlerExt_t fn) {
  takt::omniorb::TransientHandlers::install(obj, cookie, fn);
}

typedef takt::omniorb::TimeoutHandlers::Plain timeoutExceptionHandler_t;
typedef takt::omniorb::TimeoutHandlers::Ext timeoutExceptionHandlerExt_t;
inline void installTimeoutExceptionHandler(void* cookie, timeoutExceptionHandler_t fn) {
  takt::omniorb::TimeoutHandlers::install(cookie, fn);
}
inline void installTimeoutExceptionHandler(CORBA::Object_ptr obj, void* cookie,
                                           timeoutExceptionHandler_t fn) {
  takt::omniorb::TimeoutHandlers::install(obj, cookie, fn);
}
inline void installTimeoutExceptionHandlerExt(void* cookie, timeoutExceptionHandlerExt_t fn) {
  takt::omniorb::TimeoutHandlers::install(cookie, fn);
}
inline void installTimeoutExceptionHandlerExt(CORBA::Object_ptr obj, void* cookie,
                                              timeoutExceptionHandlerExt_t fn) {
  takt::omniorb::TimeoutHandlers::install(obj, cookie, fn);
}

typedef takt::omniorb::CommFailureHandlers::Plain commFailureExceptionHandler_t;
typedef takt::omniorb::CommFailureHandlers::Ext commFailureExceptionHandlerExt_t;
inline void installCommFailureExceptionHandler(void* cookie, commFailureExceptionHandler_t fn) {
  takt::omniorb::CommFailureHandlers::install(cookie, fn);
}
inline void installCommFailureExceptionHandler(CORBA::Object_ptr obj, void* cookie,
                                               commFailureExceptionHandler_t fn) {
  takt::omniorb::CommFailureHandlers::install(obj, cookie, fn);
}
inline void installCommFailureExceptionHandlerExt(void* cookie, commFailureExceptionHandlerExt_t fn) {
  takt::omniorb::CommFailureHandlers::install(cookie, fn);
}
inline void installCommFailureExceptionHandlerExt(CORBA::Object_ptr obj, void* cookie,
                                                  commFailureExceptionHandlerExt_t fn) {
  takt::omniorb::CommFailureHandlers::install(obj, cookie, fn);
}

typedef takt::omniorb::SystemHandlers::Plain systemExceptionHandler_t;
typedef takt::omniorb::SystemHandlers::Ext systemExceptionHandlerExt_t;
inline void installSystemExceptionHandler(void* cookie, systemExceptionHandler_t fn) {
  takt::omniorb::SystemHandlers::install(cookie, fn);
}
inline void installSystemExceptionHandler(CORBA::Object_ptr obj, void* cookie, systemExceptionHandler_t fn) {
  takt::omniorb::SystemHandlers::install(obj, cookie, fn);
}
inline void installSystemExceptionHandlerExt(void* cookie, systemExceptionHandlerExt_t fn) {
  takt::omniorb::SystemHandlers::install(cookie, fn);
}
inline void installSystemExceptionHandlerExt(CORBA::Object_ptr obj, void* cookie,
                                             systemExceptionHandlerExt_t fn) {
  takt::omniorb::SystemHandlers::install(obj, cookie, fn);
}

}  // namespace omniORB
