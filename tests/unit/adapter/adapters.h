// An object adapter without an ORB: requests are made in memory.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include <takt/adapter/poa.h>
#include <takt/cdr/operation.h>

#include "../rooms/rooms.h"
#include "adapter/upcalls/object_adapter.h"
#include "reference/object_ref.h"

namespace takt::adapter {

struct Core final : rooms::Rooms {
  ObjectAdapter adapter{references, server};
};

// The result of a request.
struct Answer {
  enum Status : std::uint32_t { result, user_exception, system_exception, forward };
  std::uint32_t status = 99;
  std::string exception;  // the repository id
  std::uint32_t minor = 0;
  std::uint32_t value = 0;  // first number of a result
  cdr::Ior target;          // for a location forward

  bool is(const char* name) const {
    return status == system_exception && exception == "IDL:omg.org/CORBA/" + std::string(name) + ":1.0";
  }
};

inline constexpr std::size_t body_index = 24;  // in a GIOP 1.2 reply without service contexts

inline Answer read_answer(const GatherBuffer& reply) {
  Answer answer;
  if (reply.size() < 20) return answer;
  std::memcpy(&answer.status, reply.owned() + 16, 4);
  if (reply.size() <= body_index) return answer;
  cdr::Decoder body({reply.owned() + body_index, reply.size() - body_index}, body_index, {});
  if (answer.status == Answer::forward) {
    cdr::read_ior(body, answer.target);
  } else if (answer.status != Answer::result) {
    answer.exception = std::string(body.get_raw_string_view());
    answer.minor = body.get_u32();
  } else if (body.remaining() >= 4) {
    answer.value = body.get_u32();
  }
  return answer;
}

// A servant whose operation "number" returns its number, and "run" runs the test's code.
class NumberServant : public virtual PortableServer::Servant {
 public:
  explicit NumberServant(std::uint32_t number = 0, std::function<void()> body = {})
      : number_(number), body_(std::move(body)) {}
  ~NumberServant() override {
    if (gone) *gone = true;
  }
  bool _dispatch(server::ServerCall& call) override {
    if (call.operation() == "number") {
      call.begin_reply().put(number_);
    } else if (call.operation() == "run") {
      body_();
      call.begin_reply(false);
    } else {
      return false;
    }
    return true;
  }
  bool _dispatch_local(const OperationId& operation, void* arguments) override {
    if (&operation != &local_number) return false;
    *static_cast<std::uint32_t*>(arguments) = number_;
    return true;
  }
  std::string _repository_id() override { return "IDL:Test/Number:1.0"; }

  static constexpr OperationId local_number{"number"};
  bool* gone = nullptr;  // set by the destructor

 private:
  const std::uint32_t number_;
  const std::function<void()> body_;
};

using Reference = CORBA::object_reference<CORBA::Object>;

inline ObjectId key_of(const Reference& reference) {
  const ByteView key = reference->_ref()->local_key();
  return {key.begin(), key.end()};
}

// The adapter of one ORB, with an active root POA.
struct Adapters {
  explicit Adapters(bool active = true) : core(rooms::Rooms::make<Core>()) {
    core->server.dispatcher = &core->adapter;
    core->references.local_calls = &core->adapter;
    root = core->adapter.tree().root()->reference();
    if (active) root->the_POAManager()->activate();
  }
  ~Adapters() { core->adapter.tree().shut_down(false); }

  Answer call(ByteView key, const std::string& operation = "number", ByteView arguments = {}) {
    GatherBuffer reply;
    server::ServerCall request({.request_id = 7, .object_key = key, .operation = operation}, arguments, 0, {},
                               reply);
    core->adapter.dispatch(request);
    return read_answer(reply);
  }
  Answer call(const Reference& reference, const std::string& operation = "number") {
    return call(key_of(reference), operation);
  }
  // A child of the root POA, with the root's manager.
  CORBA::object_reference<PortableServer::POA> child(const std::string& name,
                                                     const CORBA::PolicyList& policies) {
    return root->create_POA(name, root->the_POAManager(), policies);
  }

  std::shared_ptr<Core> core;
  CORBA::object_reference<PortableServer::POA> root;
};

inline CORBA::servant_reference<NumberServant> number_servant(std::uint32_t number,
                                                              std::function<void()> body = {}) {
  return CORBA::make_reference<NumberServant>(number, std::move(body));
}

}  // namespace takt::adapter
