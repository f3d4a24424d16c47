// A description of an interface from a hostile server (FullInterfaceDescription in CDR; the first octet tells
// the byte order and the version, as for cdr_any): it is refused, or can be listed and described.
#include "cdr_input.h"
#include "common/command.h"
#include "json/values.h"
#include "types/describe.h"
#include "types/described.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  if (size == 0) return 0;
  cdr::Decoder in({data + 1, size - 1}, 0, fuzz::format_of(data[0]));
  command::Description description;
  if (!cdr::Codec<command::Description>::read(in, description)) return 0;
  try {
    const command::Catalogue catalogue = command::catalogue_of(description);
    fuzz::require(catalogue.interfaces.size() == 1);
    for (const command::Operation& operation : catalogue.interfaces.front().operations) {
      fuzz::require(!command::signature_of(operation).empty());
      const std::string example = command::example_arguments(operation).dump(
          -1, ' ', false, nlohmann::json::error_handler_t::replace);
      fuzz::require(example.front() == '{');
    }
  } catch (const command::Failure& failure) {
    fuzz::require(!failure.text.empty());
  } catch (const json::Failure& failure) {  // a value with too many bases
    fuzz::require(*failure.what() != '\0');
  } catch (const CORBA::SystemException&) {  // a description with a reference that cannot be used
  }
  return 0;
}
