#include "cpp/tie.h"

#include "cpp/declarations.h"

namespace takt::idl::cpp {

// No IDL name begins with an underscore in C++, so none is hidden by the template's parameter.
void print_tie(Context& context, const Declaration& interface) {
  Writer& out = context.out;
  const std::string name = escaped(interface.name);
  out.blank();
  out.print(R"(template <class _takt_tied>
class $tie : public virtual $name {)",
            {{"tie", interface.name + "_tie"}, {"name", name}});
  out.indent(2);
  out.print("public:");
  out.print(
      R"(explicit $tie(std::shared_ptr<_takt_tied> tied, CORBA::object_reference<PortableServer::POA> poa = {})
    : _tied_(std::move(tied)), _poa_(std::move(poa)) {}
std::shared_ptr<_takt_tied> _tied_object() const { return _tied_; }
void _tied_object(std::shared_ptr<_takt_tied> tied) { _tied_ = std::move(tied); }
CORBA::object_reference<PortableServer::POA> _default_POA() override {
  return _poa_ ? _poa_ : PortableServer::Servant::_default_POA();
})",
      {{"tie", interface.name + "_tie"}});
  out.blank();
  for (const Declaration* from : with_bases(interface))
    for (const Call& call : calls_of(*from)) {
      std::string arguments;
      for (const auto& parameter : call.parameters)
        arguments += (arguments.empty() ? "" : ", ") + escaped(parameter.name);
      out.print("$result $name($parameters) override { return _tied_->$name($arguments); }",
                {{"result", result_type(context, call, &interface)},
                 {"name", call.method},
                 {"parameters", parameter_list(context, call, &interface)},
                 {"arguments", arguments}});
    }
  out.blank();
  out.print("private:");
  out.print(R"(std::shared_ptr<_takt_tied> _tied_;
CORBA::object_reference<PortableServer::POA> _poa_;)");
  out.indent(-2);
  out.print("};");
}

}  // namespace takt::idl::cpp
