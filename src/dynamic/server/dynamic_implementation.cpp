#include <string_view>

#include <takt/adapter/current.h>
#include <takt/adapter/entrance.h>
#include <takt/adapter/skeleton.h>
#include <takt/dynamic/server_request.h>

#include "adapter/poa/unlisted_exceptions.h"
#include "adapter/poa/upcall.h"
#include "adapter/poa/upcall_observer.h"
#include "dynamic/request/object_operations.h"
#include "dynamic/request/results.h"
#include "dynamic/request/shown_request.h"

namespace takt::dynamic {

using server::ServerCall;

// Answers calls by what servants have said of them.
class ServerRequests {
 public:
  static void serve(PortableServer::DynamicImplementation& servant, ServerCall& call) {
    const auto request = CORBA::make_reference<CORBA::ServerRequest>(call);
    const Ending ending{*request};
    const Showing showing(request);
    try {
      servant.invoke(request);
      if (call.response_expected()) answer(call, *request);
    } catch (...) {
      adapter::answer_exception(call);
    }
  }

 private:
  using Stage = CORBA::ServerRequest::Stage;

  // The servant may keep the request, but not the call.
  struct Ending {
    CORBA::ServerRequest& request;
    ~Ending() { request.call_ = nullptr; }
  };

  // Keeps the request's values for interceptors, if it has some.
  class Values final : public reference::ShownValues {
   public:
    explicit Values(CORBA::object_reference<CORBA::ServerRequest> request) : request_(std::move(request)) {}
    std::optional<std::vector<Argument>> arguments(bool returned) const override {
      if (!request_->arguments_) return std::nullopt;
      return shown_arguments(*request_->arguments_, returned);
    }
    CORBA::Any result() const override {
      return request_->result_ ? *request_->result_
                               : CORBA::Any(cdr::basic_typecode(CORBA::TCKind::tk_void), nullptr);
    }
    std::optional<CORBA::Any> exception() const override { return request_->exception_; }

   private:
    const CORBA::object_reference<CORBA::ServerRequest> request_;
  };
  class Showing {
   public:
    explicit Showing(const CORBA::object_reference<CORBA::ServerRequest>& request)
        : observer_(adapter::UpcallObserver::of_innermost()),
          values_(observer_ ? std::make_shared<Values>(request) : nullptr) {}
    ~Showing() {
      if (observer_) observer_->served(std::move(values_));
    }
    Showing(const Showing&) = delete;
    Showing& operator=(const Showing&) = delete;

   private:
    adapter::UpcallObserver* const observer_;
    std::shared_ptr<Values> values_;
  };

  static void answer(ServerCall& call, const CORBA::ServerRequest& request) {
    if (request.stage_ == Stage::none)
      throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(7), CORBA::COMPLETED_MAYBE,
                                 "the servant has not asked for the request's arguments");
    if (request.exception_) return answer_with_exception(call, *request.exception_);
    const bool has_results = request.result_ || request.arguments_->_has(CORBA::ARG_OUT);
    cdr::Encoder& out = call.begin_reply(has_results);
    out.set_borrowing(false);
    if (request.result_) write_value(out, *request.result_);
    for (const auto& item : request.arguments_->_items())
      if ((item->flags() & CORBA::ARG_OUT) != 0) write_value(out, item->value());
    if (call.answer_failed())
      call.system_exception(CORBA::MARSHAL(0, CORBA::COMPLETED_YES, "the results can't be encoded"));
  }

  static void answer_with_exception(ServerCall& call, const CORBA::Any& exception) {
    const CORBA::typecode_reference type = exception.type();
    const std::string& id = type->_unaliased().id();
    if (is_system_exception(type->_unaliased())) throw_system_exception(exception, id);
    cdr::Encoder& out = call.begin_user_exception(id);
    out.set_borrowing(false);
    write_exception_members(out, exception);
    if (call.answer_failed())
      call.system_exception(CORBA::MARSHAL(0, CORBA::COMPLETED_YES, "the user exception can't be encoded"));
  }

  // By its id and by what it consists of: minor code and completion.
  static bool is_system_exception(const CORBA::TypeCode& type) {
    return type.id().starts_with("IDL:omg.org/CORBA/") && type.member_count() == 2 &&
           type.member_type(0)->_unaliased().kind() == CORBA::TCKind::tk_ulong &&
           type.member_type(1)->_unaliased().kind() == CORBA::TCKind::tk_enum;
  }
  [[noreturn]] static void throw_system_exception(const CORBA::Any& exception, const std::string& id) {
    cdr::Decoder in(exception._content().octets, 0, cdr::any_format());
    in.get_raw_string_view();
    const std::uint32_t minor = in.get_u32(), completed = in.get_u32();
    if (!in.ok() || completed > CORBA::COMPLETED_MAYBE)
      throw CORBA::MARSHAL(0, CORBA::COMPLETED_YES, "the system exception can't be encoded");
    cdr::raise_system_exception(id, minor, static_cast<CORBA::CompletionStatus>(completed));
  }
};

namespace {

// The innermost upcall, if it is in that servant.
const adapter::UpcallFrame* upcall_in(const PortableServer::Servant& servant) {
  const auto* const upcall = adapter::UpcallFrame::innermost();
  return upcall && &adapter::servant_of(*upcall) == &servant ? upcall : nullptr;
}

}  // namespace

}  // namespace takt::dynamic

namespace PortableServer {

bool DynamicImplementation::_dispatch(takt::server::ServerCall& call) {
  if (call.operation().starts_with('_') && takt::dynamic::is_object_operation(call.operation())) return false;
  takt::dynamic::ServerRequests::serve(*this, call);
  return true;
}

std::string DynamicImplementation::_repository_id() {
  if (!takt::dynamic::upcall_in(*this)) return Servant::_repository_id();
  Current current_request;
  return _primary_interface(current_request.get_object_id(), current_request.get_POA());
}

std::string DynamicImplementation::_repository_id_of(const ObjectId& id,
                                                     const CORBA::object_reference<POA>& poa) {
  return _primary_interface(id, poa);
}

CORBA::object_reference<CORBA::Object> DynamicImplementation::_this() {
  if (!takt::dynamic::upcall_in(*this)) throw POA::WrongPolicy();
  return takt::reference::make_stub<CORBA::Object>(_this_ref());
}

}  // namespace PortableServer
