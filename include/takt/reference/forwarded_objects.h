// Objects whose references lead to another process, which forwards their clients: an implementation
// repository.
#pragma once

#include <takt/base/bytes.h>
#include <takt/reference/object.h>

namespace takt {

// Any thread. References that were made before stay as they are.
class ForwardedObjects {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;

  // From now on, references to objects of persistent adapters in the ORB that made the reference `forwarder`
  // have its addresses, and its object key followed by their own key. The process that has `forwarder` gets
  // their requests, and forwards them to with_key() of this process and that own key. In this process the
  // references are those of the objects themselves, also when they come from another process. Adapters with
  // endpoints or priorities of their own (RT-CORBA) keep their references. Throws BAD_PARAM for nil and for a
  // reference without a usable address, BAD_INV_ORDER if the ORB has a forwarder. Allocates.
  static void lead_to(const Reference& forwarder);

  // The object with that key at the addresses of `object`; its type is unknown. Throws BAD_PARAM as above.
  // Allocates.
  static Reference with_key(const Reference& object, ByteView key);
};

}  // namespace takt
