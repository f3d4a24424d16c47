// Dynamic requests and servants, which read values of types that the input chooses: after an octet for the
// format come TypeCodes, and then the values' octets. A value that was read can be sent on.
#include <takt/dynamic/server_request.h>

#include "cdr_input.h"
#include "dynamic/request/results.h"

namespace {

using namespace takt;
using Types = std::vector<CORBA::typecode_reference>;

// Asks for arguments of these types, and sends the first one back as its result.
class Servant final : public virtual PortableServer::DynamicImplementation {
 public:
  explicit Servant(Types types) : types_(std::move(types)) {}
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    const auto arguments = CORBA::make_reference<CORBA::NVList>();
    for (std::size_t i = 0; i < types_.size(); ++i)
      arguments->add(i % 2 == 0 ? CORBA::ARG_IN : CORBA::ARG_INOUT)->value().type(types_[i]);
    request->arguments(arguments);
    request->set_result(arguments->item(0)->value());
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 CORBA::object_reference<PortableServer::POA>) override {
    return "IDL:Fuzzed:1.0";
  }

 private:
  const Types types_;
};

void serve(const Types& types, ByteView body, std::size_t index, const cdr::Format& format) {
  GatherBuffer reply;
  server::ServerCall call({.giop_minor = format.giop_minor, .object_key = {}, .operation = "fuzzed"}, body,
                          index, format, reply);
  const auto servant = CORBA::make_reference<Servant>(types);
  PortableServer::Servant& served = *servant;
  fuzz::require(served._dispatch(call));
  fuzz::require(call.answered());
}

// As the results of a request, twice, because the second ones use the memory of the first.
void receive(const Types& types, ByteView body, std::size_t index, const cdr::Format& format) {
  std::vector<CORBA::object_reference<CORBA::NamedValue>> results;
  for (const auto& type : types) {
    results.push_back(CORBA::make_reference<CORBA::NamedValue>(CORBA::ARG_OUT));
    results.back()->value().type(type);
  }
  for (int round = 0; round < 2; ++round) {
    cdr::Decoder in(body, index, format);
    for (const auto& result : results) dynamic::Results::read(in, *result);
    if (!in.ok()) return;
    GatherBuffer buffer;
    cdr::Encoder out(buffer, cdr::any_format());
    out.set_borrowing(false);
    for (const auto& result : results) dynamic::write_value(out, result->value());
  }
}

}  // namespace

// A cycle of values holds itself; who takes values out has to open it.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const cdr::Format format = fuzz::format_of(data[0]);
  cdr::Decoder in({data + 1, size - 1}, 0, format);
  Types types;
  for (int left = 1 + (data[0] >> 4) % 3; left > 0; --left) {
    types.push_back(cdr::read_typecode(in));
    if (!in.ok() || !types.back()) return 0;
  }
  const ByteView body = ByteView(data + 1, size - 1).last(in.remaining());
  const std::size_t index = in.position();
  for (const auto use : {serve, receive}) try {
      use(types, body, index, format);
    } catch (const CORBA::SystemException&) {
    }
  return 0;
}
