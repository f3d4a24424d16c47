// What applications use of namespace omniORB, over the classic mapping.
#pragma once

#include <omniORB4/minorCode.h>
#include <omniORB4/takt_handlers.h>
#include <omniORB4/takt_texts.h>
#include <omnithread.h>
#include <takt/classic/corba.h>
#include <takt/classic/present_orb.h>
#include <takt/classic/timeouts.h>
#include <takt/config/other_orbs.h>
#include <takt/reference/failure_codes.h>

namespace takt {
namespace omniorb {

// "omniINSPOA": the adapter whose objects have keys that are their ids, as corbaloc names them.
CORBA::Object_ptr find_ins_poa(CORBA::ORB_ptr orb);

namespace {

// Calls of programs with this header fail with omniORB's minor codes, their servers answer with them, and
// their ORBs take omniORB's settings.
const struct Behaviour {
  Behaviour() {
    take_settings_of_omniorb();
    classic::provide_initial_reference("omniINSPOA", &find_ins_poa);
    FailureCodes codes;
    codes.timed_out = codes.connect_timed_out = omni::TIMEOUT_CallTimedOutOnClient;
    codes.transient_timeout = omni::TRANSIENT_CallTimedout;
    codes.unreachable = omni::TRANSIENT_ConnectFailed;
    codes.unknown_host = omni::TRANSIENT_NoUsableProfile;
    codes.lost = omni::COMM_FAILURE_WaitingForReply;
    codes.long_request = omni::MARSHAL_MessageSizeExceedLimitOnClient;
    codes.long_reply = omni::MARSHAL_MessageSizeExceedLimitOnClient;  // as its servers log it
    codes.nil_target = omni::INV_OBJREF_InvokeOnNilObjRef;
    codes.no_object = codes.no_adapter = omni::OBJECT_NOT_EXIST_NoMatch;
    codes.no_operation = omni::BAD_OPERATION_UnRecognisedOperationName;
    codes.not_corba = omni::UNKNOWN_UserException;
    set_failure_codes(codes);
  }
} behaviour;

}  // namespace
}  // namespace omniorb
}  // namespace takt

namespace omni {
class omniInterceptors;
}

namespace omniORB {

// Takt never throws it; it is here for the programs that catch it.
class fatalException {
 public:
  fatalException(const char* file, int line, const char* errmsg)
      : file_(file), line_(line), errmsg_(errmsg) {}
  const char* file() const { return file_; }
  int line() const { return line_; }
  const char* errmsg() const { return errmsg_; }

 private:
  const char* file_;
  int line_;
  const char* errmsg_;
};

// Limits in milliseconds; 0 removes them. An object's prevails over the thread's, and the thread's over that
// of all calls, as with -ORBsupportPerThreadTimeOut 1. After the limit a call throws TIMEOUT.
inline void setClientCallTimeout(CORBA::ULong milliseconds) { takt::classic::set_call_timeout(milliseconds); }
inline void setClientCallTimeout(CORBA::Object_ptr object, CORBA::ULong milliseconds) {
  takt::classic::set_call_timeout(object, milliseconds);
}
inline void setClientThreadCallTimeout(CORBA::ULong milliseconds) {
  takt::classic::set_thread_call_timeout(milliseconds);
}
// The ORB's (<omniORB4/omniInterceptors.h>), for the whole process. Never null.
omni::omniInterceptors* getInterceptors();
// Of opening a connection; 0 leaves the limit as it is.
inline void setClientConnectTimeout(CORBA::ULong milliseconds) {
  takt::classic::set_connect_timeout(milliseconds);
}

}  // namespace omniORB
