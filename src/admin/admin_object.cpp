#include "admin/admin_object.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <takt/adapter/skeleton.h>
#include <takt/cdr/exception.h>

#include "adapter/poa/unlisted_exceptions.h"
#include "admin/state.h"

namespace takt::admin {
namespace {

constexpr std::string_view object_key = "TaktAdmin";
constexpr std::string_view repository_id = "IDL:Takt/Admin/Orb:1.0";
constexpr std::string_view refused_id = "IDL:Takt/Admin/Refused:1.0";

bool is_admin(ByteView key) { return std::ranges::equal(key, object_key); }

void refuse(server::ServerCall& call, std::string_view why) {
  call.begin_user_exception(refused_id).put_string(why);
}

template <std::same_as<std::string>... Texts>
void read(server::ServerCall& call, Texts&... texts) {
  (call.arguments().get_string(texts), ...);
  if (!call.arguments().ok()) throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "the arguments can't be decoded");
}

}  // namespace

void AdminObject::get_option(server::ServerCall& call) {
  std::string name;
  read(call, name);
  const auto values = runtime_.options().get(name);
  cdr::Encoder& out = call.begin_reply();
  out.set_borrowing(false);
  out.put_count(values.size());
  for (const std::string& value : values) out.put_string(value);
}

void AdminObject::set_option(server::ServerCall& call) {
  std::string name, value;
  read(call, name, value);
  if (!changes_) return refuse(call, "clients may only read: -ORBAdmin of this ORB lacks the word changes");
  runtime_.options().set(runtime_, name, value);
  call.begin_reply(false);
}

void AdminObject::run(server::ServerCall& call) {
  const std::string_view operation = call.operation();
  if (!is_admin(call.object_key()))
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "an admin endpoint has only the object TaktAdmin");
  if (operation == "look") {
    cdr::Encoder& out = call.begin_reply();
    out.set_borrowing(false);
    write_state(out, runtime_, observation_);
  } else if (operation == "get_option") {
    get_option(call);
  } else if (operation == "set_option") {
    set_option(call);
  } else if (operation == "_is_a") {
    std::string id;
    read(call, id);
    call.begin_reply().put(id == repository_id || id == "IDL:omg.org/CORBA/Object:1.0");
  } else if (operation == "_non_existent" || operation == "_not_existent") {
    call.begin_reply().put(false);
  } else if (operation == "_repository_id") {
    call.begin_reply().put_string(repository_id);
  } else {
    throw CORBA::BAD_OPERATION(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                               "the admin object has no operation " + std::string(operation));
  }
}

// Without even the memory for an exception there is no answer, and the channel handles it.
void AdminObject::dispatch(server::ServerCall& call) noexcept {
  const bool about_option = call.operation().ends_with("et_option");
  try {
    try {
      run(call);
      adapter::detail::check_results(call);
    } catch (const CORBA::BAD_PARAM& fault) {
      about_option ? refuse(call, fault.detail()) : call.system_exception(fault);
    } catch (const CORBA::BAD_INV_ORDER& fault) {
      about_option ? refuse(call, fault.detail()) : call.system_exception(fault);
    } catch (...) {
      adapter::answer_exception(call);
    }
  } catch (...) {
    call.discard_answer();
  }
}

reference::LocateAnswer AdminObject::locate(ByteView key) noexcept {
  using Status = reference::LocateAnswer::Status;
  return {is_admin(key) ? Status::here : Status::unknown, {}};
}

reference::LocalAnswer AdminObject::call_local(const OperationId&, void*, const ByteView&) {
  return reference::LocalAnswer::by_wire;
}

}  // namespace takt::admin
