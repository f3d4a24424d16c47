// Servants without generated code: the dynamic skeleton interface (CORBA 3.0.3, chapter 8; after
// the IDL to C++11 mapping).
//
//   class Adder final : public virtual PortableServer::DynamicImplementation {
//     void invoke(IDL::traits<CORBA::ServerRequest>::ref_type request) override {
//       auto arguments = CORBA::make_reference<CORBA::NVList>();
//       for (int i = 0; i < 2; ++i)
//         arguments->add(CORBA::ARG_IN)->value().type(IDL::type_code<std::int32_t>());
//       request->arguments(arguments);
//       std::int32_t a = 0, b = 0;
//       arguments->item(0)->value() >>= a;
//       arguments->item(1)->value() >>= b;
//       CORBA::Any sum;
//       sum <<= a + b;
//       request->set_result(sum);
//     }
//     std::string _primary_interface(const PortableServer::ObjectId&,
//     IDL::traits<PortableServer::POA>::ref_type)
//         override { return "IDL:Adder:1.0"; }
//   };
#pragma once

#include <optional>
#include <string>

#include <takt/adapter/poa.h>
#include <takt/adapter/servant.h>
#include <takt/dynamic/named_values.h>

namespace takt::dynamic {
class ServerRequests;
}

namespace CORBA {

// One request, in the thread that runs invoke(), until that returns: BAD_INV_ORDER afterwards. The calls of a
// servant come in this order: arguments() once, ctx() at most once, set_result() at most once;
// set_exception() instead of set_result(), or after it. BAD_INV_ORDER, OMG minors 7, 8 and 9, for others.
class ServerRequest final : public LocalObject {
 public:
  using _ref_type = object_reference<ServerRequest>;
  // For DynamicImplementation's own use.
  explicit ServerRequest(takt::server::ServerCall& call) : operation_(call.operation()), call_(&call) {}

  const std::string& operation() const { return operation_; }
  // The list has a value for each parameter, with its direction and type; those of in and inout parameters
  // are filled. Inout and out ones are sent as they are when invoke() returns. MARSHAL if the request has
  // others, BAD_PARAM for nil.
  void arguments(const object_reference<NVList>& list);
  // The values of its context that the client has sent.
  object_reference<Context> ctx();
  void set_result(const Any& value);
  // Replaces a result, or another exception. A user exception's type is sent with it; system exceptions are
  // made by dynamic means, too, or simply thrown. BAD_PARAM (OMG minor 21) for what is no exception.
  void set_exception(const Any& exception);

 private:
  friend class takt::dynamic::ServerRequests;
  enum class Stage : unsigned char { none, arguments, context, result, exception };

  takt::server::ServerCall& call() const;

  const std::string operation_;
  takt::server::ServerCall* call_;  // null once invoke() has returned
  Stage stage_ = Stage::none;
  object_reference<NVList> arguments_;
  std::optional<Any> result_, exception_;
};

}  // namespace CORBA

namespace PortableServer {

// A servant, made by CORBA::make_reference and activated as any other, in any POA. Operations of
// CORBA::Object never reach invoke(): _is_a is true of what _primary_interface() gives and of CORBA::Object,
// unless it is overridden. Callers in the same process reach it as remote ones do.
class DynamicImplementation : public virtual Servant {
 public:
  // Answers the request, which wants arguments() first, even where there are none. Whatever is thrown is
  // answered as of compiled servants: user exceptions as UNKNOWN (OMG minor 1), since only set_exception()
  // says that they are expected. Any thread, as the POA's policies say.
  virtual void invoke(CORBA::object_reference<CORBA::ServerRequest> request) = 0;
  // The repository id of the most derived interface of an object that this is the servant of. Any thread.
  virtual std::string _primary_interface(const ObjectId& id, CORBA::object_reference<POA> poa) = 0;

  // The object of the request in progress. POA::WrongPolicy outside of invoke().
  CORBA::object_reference<CORBA::Object> _this();

  // The interface of the object that the current request is for. CORBA::Object's outside of requests.
  std::string _repository_id() override;
  std::string _repository_id_of(const ObjectId& id, const CORBA::object_reference<POA>& poa) override;
  bool _dispatch(takt::server::ServerCall& call) override;

 protected:
  DynamicImplementation() = default;
};

}  // namespace PortableServer
