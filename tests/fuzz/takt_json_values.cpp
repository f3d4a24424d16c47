// JSON. With a first octet of '{' or '[' or '"' the input is the JSON of an any, which becomes an Any and
// JSON again. Otherwise it is an Any in CDR, as for cdr_any, which becomes JSON and the same octets again.
#include "cdr_input.h"
#include "json/text.h"
#include "json/values.h"

namespace {

using namespace takt;

json::Context limited() {
  json::Context context;
  context.limits = {.bytes = 100'000, .depth = 60, .values = 20'000};
  return context;
}

const CORBA::typecode_reference& any_type() { return cdr::basic_typecode(CORBA::TCKind::tk_any); }

// An Any made from JSON. It ends before its Values, which then free its cycles.
struct Made {
  explicit Made(const json::Json& json) : any(values.any_of(json, any_type(), "input")) {}
  json::Values values{limited()};
  CORBA::Any any;
};

json::Json json_of(const CORBA::Any& any) { return json::Values(limited()).json_of(any, "input"); }

void use_text(std::string_view text) {
  const auto parsed = json::parse(text, limited().limits);
  if (!parsed) return fuzz::require(!parsed.error().empty());
  const Made made(*parsed);
  const json::Json json = json_of(made.any);
  fuzz::require(json_of(Made(json).any) == json);
}

void use_octets(ByteView input) {
  cdr::Decoder in({input.data() + 1, input.size() - 1}, 0, fuzz::format_of(input[0]));
  CORBA::Any any;
  if (!cdr::read_any(in, any)) return;
  CORBA::Any whole;
  whole <<= any;
  const std::string text = json_of(whole).dump();
  const auto parsed = json::parse(text);
  fuzz::require(parsed.has_value());
  try {
    fuzz::require(json_of(Made(*parsed).any) == *parsed);
  } catch (const json::Failure&) {  // a type that names its members as no IDL does, or a limit
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    if (data[0] == '{' || data[0] == '[' || data[0] == '"')
      use_text({reinterpret_cast<const char*>(data), size});
    else
      use_octets({data, size});
  } catch (const json::Failure& failure) {
    fuzz::require(*failure.what() != '\0');
  } catch (const CORBA::SystemException&) {  // an Any that cannot be inserted
  }
  return 0;
}
