// Servants without generated code in the classic mapping: the dynamic skeleton interface (CORBA 3.0.3,
// chapter 8). C++14.
//
//   class Adder : public virtual PortableServer::DynamicImplementation {
//     void invoke(CORBA::ServerRequest_ptr request) {
//       CORBA::NVList_ptr arguments;
//       orb->create_list(0, arguments);
//       for (int i = 0; i < 2; ++i)
//         arguments->add(CORBA::ARG_IN)->value()->replace(CORBA::_tc_long, 0);
//       request->arguments(arguments);
//       ...
#pragma once

#include <takt/classic/poa.h>
#include <takt/classic/request.h>
#include <takt/classic/servant.h>

namespace takt {
namespace classic {
class ServerRequestHandle;  // incomplete: the runtime's ServerRequest
}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

class ServerRequest;
typedef ServerRequest* ServerRequest_ptr;
typedef takt::classic::ObjectVar<ServerRequest> ServerRequest_var;
typedef takt::classic::ObjectOut<ServerRequest> ServerRequest_out;

// One request, in the thread that runs invoke(), until that returns: BAD_INV_ORDER afterwards. A servant
// calls arguments() once and first, even if there are none; then ctx() at most once, and set_result() at most
// once. set_exception() replaces a result. BAD_INV_ORDER for any other order.
class ServerRequest : public takt::classic::Counted {
  TAKT_CLASSIC_COUNTED(ServerRequest)
  // Takes the handle over.
  explicit ServerRequest(takt::classic::ServerRequestHandle* handle);
  ~ServerRequest() override;

  const char* operation() const;
  // Takes the list over. It has a value of the type that is expected for each parameter, with its direction;
  // those of in and inout parameters are filled. Inout and out ones are sent as they are when invoke()
  // returns. MARSHAL if the request has other arguments.
  void arguments(NVList_ptr& parameters);
  Context_ptr ctx();  // the request's
  void set_result(const Any& value);
  // BAD_PARAM if the value is no exception.
  void set_exception(const Any& value);

  void _takt_send_arguments();  // for DynamicImplementation

 private:
  takt::classic::ServerRequestHandle* const handle_;
  NVList_var arguments_;
  Context_var context_;
};

}  // namespace takt_classic_
}  // namespace CORBA

namespace PortableServer {
inline namespace takt_classic_ {

// A servant that may have any operations. Those of CORBA::Object never reach invoke(): _is_a() is true of
// _primary_interface() and of CORBA::Object, unless it is overridden. User exceptions are given to
// set_exception(); a thrown one is UNKNOWN to the caller.
class DynamicImplementation : public virtual ServantBase {
 public:
  // The object of the request in progress. POA::WrongPolicy outside of invoke().
  ::CORBA::Object_ptr _this();
  // Any thread, as the POA's policies say.
  virtual void invoke(::CORBA::ServerRequest_ptr request) = 0;
  // The repository id of the most derived interface of an object that this is the servant of: a string that
  // the library frees. Any thread.
  virtual char* _primary_interface(const ObjectId& id, POA_ptr poa) = 0;

  const takt::classic::Entry* _takt_find(const char* operation, std::size_t length, void*& skeleton) override;
  const char* _takt_repository_id() override;
  bool _takt_serve(takt::classic::Upcall& call) override;
  char* _takt_primary_interface(const unsigned char* id, std::size_t length,
                                takt::classic::Reference* poa) override;

 protected:
  bool _takt_supports(const char* repository_id) const override;
};

}  // namespace takt_classic_
}  // namespace PortableServer
