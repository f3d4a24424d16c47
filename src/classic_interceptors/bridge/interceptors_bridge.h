// The runtime's interceptors and codecs, as the classic mapping calls them. References that are passed are
// borrowed, those that are returned or given to points are the receiver's. System exceptions are those of the
// classic mapping.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace takt {
namespace classic {

class AnyHandle;
class Reference;
class TypeCodeHandle;

namespace interceptors {

using Octets = std::vector<std::uint8_t>;
using Names = std::vector<std::string>;

// A user exception of the runtime's modules PortableInterceptor and IOP.
struct Raised {
  std::string id;
  std::string name;      // if it is DuplicateName
  std::uint32_t number;  // if it is UnsupportedCodeset
};

struct Context {
  std::uint32_t id;
  Octets data;
};

// Objects of the application, as the runtime calls them. The functions throw exceptions of the runtime.
class Points {
 public:
  virtual ~Points() = default;
  virtual std::string name() = 0;
  virtual void destroy() = 0;
  // `point`: the function's place in the interface, from 0.
  virtual void run(int point, Reference* info) = 0;
};
class TemplateHandle;  // an ObjectReferenceFactory of the runtime's; incomplete
// A point of IORInterceptor_3_0 has an argument of its own.
class ReferencePoints : public Points {
 public:
  virtual void manager_changed(std::int32_t id, std::int16_t state) = 0;
  virtual void adapter_changed(const std::vector<TemplateHandle*>& templates,
                               std::int16_t state) = 0;  // takes them over
};
class ReferenceFactory {
 public:
  virtual ~ReferenceFactory() = default;
  virtual Reference* make_object(const std::string& repository_id, const Octets& id) = 0;
};
class Factory {
 public:
  // `applications`: the policy is an object of the application's, of that type.
  struct Made {
    Reference* policy;
    bool applications;
    std::uint32_t type;
  };
  virtual ~Factory() = default;
  virtual Made create_policy(std::uint32_t type, AnyHandle* value) = 0;  // takes the value over
};
class Initializer {
 public:
  virtual ~Initializer() = default;
  virtual void run(bool pre, Reference* info) = 0;
};

// Throws the runtime's ForwardRequest.
[[noreturn]] void forward_by_interceptor(Reference* to);
[[noreturn]] void refuse_policy(std::int16_t reason);

enum class Kind : std::uint8_t {
  current,
  request_info,
  client_info,
  server_info,
  ior_info,
  init_info,
  codec,
  codec_factory
};
bool is_kind(Reference& object, Kind kind);

void register_initializer(std::unique_ptr<Initializer> initializer);
enum class On : std::uint8_t { client, server, references };
void add(Reference& info, On kind, std::unique_ptr<Points> points, const std::vector<Reference*>& policies);
void add_factory(Reference& info, std::uint32_t type, std::unique_ptr<Factory> factory);
Names arguments(Reference& info);
std::string orb_of_init(Reference& info);
Reference* codec_factory(Reference& info);
void register_reference(Reference& info, const char* id, Reference* object);
Reference* resolve(Reference& info, const char* id);
std::uint32_t allocate_slot(Reference& info);

AnyHandle* slot_of_current(Reference& current, std::uint32_t id);
void set_slot_of_current(Reference& current, std::uint32_t id, AnyHandle* value);

std::uint32_t request_id(Reference& info);
std::string operation(Reference& info);
bool response_expected(Reference& info);
struct Argument {
  AnyHandle* value;
  std::uint32_t mode;
};
std::vector<Argument> call_arguments(Reference& info);
std::vector<TypeCodeHandle*> exceptions(Reference& info);
Names contexts(Reference& info);
Names operation_context(Reference& info);
AnyHandle* result(Reference& info);
std::int16_t sync_scope(Reference& info);
std::int16_t reply_status(Reference& info);
Reference* forward_reference(Reference& info);
AnyHandle* slot(Reference& info, std::uint32_t id);
Octets request_context(Reference& info, std::uint32_t id);
Octets reply_context(Reference& info, std::uint32_t id);

Reference* target(Reference& info, bool effective);
Context effective_profile(Reference& info);
AnyHandle* exception_of(Reference& info);  // received or sent
std::string received_exception_id(Reference& info);
std::vector<Octets> components(Reference& info, std::uint32_t id, bool all);
// Policies of the application's are its own objects in these three.
Reference* request_policy(Reference& info, std::uint32_t type);
void add_context(Reference& info, Context context, bool replace);  // to the request or the reply

std::string server_id(Reference& info);
std::string orb_id(Reference& info);
Names adapter_name(Reference& info);
Octets object_id(Reference& info);
Octets adapter_id(Reference& info);
std::string most_derived(Reference& info);
bool target_is_a(Reference& info, const char* repository_id);
Reference* server_policy(Reference& info, std::uint32_t type);
void set_slot(Reference& info, std::uint32_t id, AnyHandle* value);

Reference* effective_policy(Reference& info, std::uint32_t type);
void add_component(Reference& info, Context component, const std::uint32_t* profile);  // null: to all
std::int32_t manager_id(Reference& info);
std::int16_t manager_state(Reference& info);
TemplateHandle* adapter_template(Reference& info);
// The factory that the application has set, or a handle of another.
struct CurrentFactory {
  ReferenceFactory* applications;  // borrowed; null if the other is set
  TemplateHandle* other;
};
CurrentFactory current_factory(Reference& info);
// `factory`: null for none, which the runtime refuses.
void set_current_factory(Reference& info, std::unique_ptr<ReferenceFactory> factory);
void set_current_factory(Reference& info, TemplateHandle& factory);
void free(TemplateHandle* factory);
Reference* make_object(TemplateHandle& factory, const char* repository_id, const Octets& id);
// The members of a template; BAD_PARAM for other factories.
std::string server_id(TemplateHandle& of);
std::string orb_id(TemplateHandle& of);
Names adapter_name(TemplateHandle& of);

// 0: the code sets that are usual.
Reference* create_codec(Reference& factory, std::int16_t format, std::uint8_t major, std::uint8_t minor,
                        std::uint32_t char_codeset, std::uint32_t wchar_codeset);
Octets encode(Reference& codec, AnyHandle* value, bool with_type);
AnyHandle* decode(Reference& codec, const Octets& octets);
AnyHandle* decode_value(Reference& codec, const Octets& octets, TypeCodeHandle* type);

}  // namespace interceptors

}  // namespace classic
}  // namespace takt
