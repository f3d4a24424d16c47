// Servants without generated skeletons, which answer with the methods of the compiled servants.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <takt/dynamic/server_request.h>

#include "report.h"
#include "servants.h"

namespace interop {

// Which way each parameter of a method goes: the first reference that is not const is inout, those after it
// are out.
template <class... Parameters>
std::vector<CORBA::Flags> directions() {
  std::vector<CORBA::Flags> flags;
  bool inout = false;
  [[maybe_unused]] const auto add = [&](bool writable) {
    flags.push_back(!writable ? CORBA::ARG_IN : inout ? CORBA::ARG_OUT : CORBA::ARG_INOUT);
    inout = inout || writable;
  };
  (add(std::is_lvalue_reference_v<Parameters> && !std::is_const_v<std::remove_reference_t<Parameters>>), ...);
  return flags;
}

class DynamicServant final : public virtual PortableServer::DynamicImplementation {
 public:
  DynamicServant(std::string id, std::shared_ptr<PortableServer::Servant> methods)
      : id_(std::move(id)), methods_(std::move(methods)) {}

  // The operation is answered by `method`, which raises these exceptions. Before the first request.
  template <class... Raised, class Servant, class Result, class... Parameters>
  void add(const std::string& operation, Servant& servant, Result (Servant::*method)(Parameters...)) {
    answers_[operation] = [&servant, method](CORBA::ServerRequest& request) {
      try {
        answer(request, servant, method, std::index_sequence_for<Parameters...>());
      } catch (const CORBA::UserException& raised) {
        if (!(refused<Raised>(request, raised) || ...)) throw;
      }
    };
  }

  void invoke(IDL::traits<CORBA::ServerRequest>::ref_type request) override {
    const auto found = answers_.find(request->operation());
    if (found == answers_.end()) throw CORBA::BAD_OPERATION();
    found->second(*request);
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 IDL::traits<PortableServer::POA>::ref_type) override {
    return id_;
  }

 private:
  template <class Servant, class Result, class... Parameters, std::size_t... Index>
  static void answer(CORBA::ServerRequest& request, Servant& servant,
                     Result (Servant::*method)(Parameters...), std::index_sequence<Index...>) {
    const auto flags = directions<Parameters...>();
    const auto list = CORBA::make_reference<CORBA::NVList>();
    (list->add(flags[Index])->value().type(IDL::type_code<std::decay_t<Parameters>>()), ...);
    request.arguments(list);
    std::tuple<std::decay_t<Parameters>...> values{};
    (take(*list->item(Index), std::get<Index>(values)), ...);
    if constexpr (std::is_void_v<Result>) {
      (servant.*method)(std::get<Index>(values)...);
    } else {
      CORBA::Any result;
      result <<= (servant.*method)(std::get<Index>(values)...);
      request.set_result(result);
    }
    (give(std::get<Index>(values), *list->item(Index)), ...);
  }
  template <class T>
  static void take(const CORBA::NamedValue& from, T& value) {
    if ((from.flags() & CORBA::ARG_IN) != 0)
      require(from.value() >>= value, "an argument is of another type");
  }
  template <class T>
  static void give(const T& value, CORBA::NamedValue& to) {
    if ((to.flags() & CORBA::ARG_OUT) != 0) to.value() <<= value;
  }
  template <class Raised>
  static bool refused(CORBA::ServerRequest& request, const CORBA::UserException& raised) {
    const auto* exception = dynamic_cast<const Raised*>(&raised);
    if (!exception) return false;
    CORBA::Any any;
    any <<= *exception;
    request.set_exception(any);
    return true;
  }

  const std::string id_;
  const std::shared_ptr<PortableServer::Servant> methods_;
  std::map<std::string, std::function<void(CORBA::ServerRequest&)>> answers_;
};

inline CORBA::servant_reference<DynamicServant> dynamic(CORBA::servant_reference<TypesServant> types) {
  auto servant = CORBA::make_reference<DynamicServant>("IDL:Interop/Types:1.0", types.shared());
#define INTEROP_TYPE(NAME, TYPE) \
  servant->add<Interop::Mismatch>("swap_" #NAME, *types, &TypesServant::swap_##NAME);
  INTEROP_TYPES(INTEROP_TYPE)
#undef INTEROP_TYPE
  servant->add<Interop::Mismatch>("give", *types, &TypesServant::give);
  servant->add<Interop::Mismatch>("take", *types, &TypesServant::take);
  servant->add("echo", *types, &TypesServant::echo);
  servant->add("type_of", *types, &TypesServant::type_of);
  return servant;
}

inline CORBA::servant_reference<DynamicServant> dynamic(CORBA::servant_reference<ValuesServant> values) {
  auto servant = CORBA::make_reference<DynamicServant>("IDL:Interop/Values:1.0", values.shared());
#define INTEROP_PASS(NAME) \
  servant->add<Interop::Mismatch>("pass_" #NAME, *values, &ValuesServant::pass_##NAME);
  INTEROP_PASS(null)
  INTEROP_PASS(graph)
  INTEROP_PASS(shared)
  INTEROP_PASS(derived)
  INTEROP_PASS(truncated)
  INTEROP_PASS(large)
  INTEROP_PASS(packed)
  INTEROP_PASS(text)
  INTEROP_PASS(numbers)
  INTEROP_PASS(any)
#undef INTEROP_PASS
  servant->add("type_of", *values, &ValuesServant::type_of);
  return servant;
}

inline CORBA::servant_reference<DynamicServant> dynamic(CORBA::servant_reference<CallerServant> caller) {
  auto servant = CORBA::make_reference<DynamicServant>("IDL:Interop/Caller:1.0", caller.shared());
  servant->add("called", *caller, &CallerServant::called);
  return servant;
}

inline CORBA::servant_reference<DynamicServant> dynamic(CORBA::servant_reference<CallsServant> calls) {
  auto servant = CORBA::make_reference<DynamicServant>("IDL:Interop/Calls:1.0", calls.shared());
  using GetTitle = std::string (CallsServant::*)();
  using SetTitle = void (CallsServant::*)(const std::string&);
  using GetNumber = std::int32_t (CallsServant::*)();
  using SetNumber = void (CallsServant::*)(std::int32_t);
  servant->add("_get_title", *calls, static_cast<GetTitle>(&CallsServant::title));
  servant->add("_set_title", *calls, static_cast<SetTitle>(&CallsServant::title));
  servant->add<Interop::Nothing>("_get_guarded", *calls, static_cast<GetNumber>(&CallsServant::guarded));
  servant->add<Interop::Nothing, Interop::Refused>("_set_guarded", *calls,
                                                   static_cast<SetNumber>(&CallsServant::guarded));
  servant->add("_get_kinds", *calls, &CallsServant::kinds);
  servant->add("_get_valued", *calls, &CallsServant::valued);
  servant->add<Interop::Nothing, Interop::Refused>("refuse", *calls, &CallsServant::refuse);
  servant->add<Interop::Mismatch>("pass_wide", *calls, &CallsServant::pass_wide);
  servant->add<Interop::Mismatch>("pass_narrow", *calls, &CallsServant::pass_narrow);
#define INTEROP_CALL(NAME) servant->add(#NAME, *calls, &CallsServant::NAME);
  INTEROP_CALL(ping)
  INTEROP_CALL(note)
  INTEROP_CALL(noted)
  INTEROP_CALL(in_context)
  INTEROP_CALL(fail)
  INTEROP_CALL(crash)
  INTEROP_CALL(call_back)
  INTEROP_CALL(giver)
  INTEROP_CALL(same)
  INTEROP_CALL(forwarded)
  INTEROP_CALL(absent)
  INTEROP_CALL(pass_link)
  INTEROP_CALL(any_of)
  INTEROP_CALL(call_any)
  INTEROP_CALL(echo_octets)
  INTEROP_CALL(echo_strings)
#undef INTEROP_CALL
  return servant;
}

}  // namespace interop
