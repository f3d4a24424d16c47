import org.omg.CORBA.Any;
import org.omg.CORBA.ExceptionDescription;
import org.omg.CORBA.InterfaceDef;
import org.omg.CORBA.InterfaceDefHelper;
import org.omg.CORBA.ORB;
import org.omg.CORBA.OperationDescription;
import org.omg.CORBA.ParameterDescription;
import org.omg.CORBA.ParameterMode;
import org.omg.CORBA.Repository;
import org.omg.CORBA.RepositoryHelper;
import org.omg.CORBA.Request;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.UnknownUserException;

// RepositoryCaller REPOSITORY OBJECT: calls an Interop::Calls by dynamic requests, whose types are those that a
// repository says, and the repository that the object's server names.
public final class RepositoryCaller {
  // A request with one long or string for each in parameter.
  private static String call(org.omg.CORBA.Object object, InterfaceDef definition, String name, Object... values) {
    for (OperationDescription operation : definition.describe_interface().operations) {
      if (!operation.name.equals(name)) continue;
      Request request = object._request(name);
      int next = 0;
      for (ParameterDescription parameter : operation.parameters) {
        if (parameter.mode != ParameterMode.PARAM_IN) throw new RuntimeException("only in parameters");
        Any argument = request.add_named_in_arg(parameter.name);
        if (parameter.type.kind() == TCKind.tk_long) argument.insert_long((Integer) values[next++]);
        else argument.insert_string((String) values[next++]);
      }
      for (ExceptionDescription exception : operation.exceptions) request.exceptions().add(exception.type);
      request.set_return_type(operation.result);
      request.invoke();
      Exception raised = request.env().exception();
      if (raised instanceof UnknownUserException)
        return "raised " + idOf(((UnknownUserException) raised).except);
      if (raised != null) return "failed " + raised;
      return operation.result.kind() == TCKind.tk_long ? "returned " + request.return_value().extract_long() : "returned";
    }
    return "no operation " + name;
  }

  private static String idOf(Any exception) {
    try {
      return exception.type().id();
    } catch (org.omg.CORBA.TypeCodePackage.BadKind none) {
      return "?";
    }
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(arguments, System.getProperties());
    Repository repository = RepositoryHelper.narrow(orb.string_to_object(arguments[0]));
    org.omg.CORBA.Object object = orb.string_to_object(arguments[1]);
    InterfaceDef definition = InterfaceDefHelper.narrow(repository.lookup_id("IDL:Interop/Calls:1.0"));
    System.out.println("ping " + call(object, definition, "ping"));
    System.out.println("note " + call(object, definition, "note", 7));
    System.out.println("noted " + call(object, definition, "noted"));
    System.out.println("refuse " + call(object, definition, "refuse", "why", 3));
    System.out.println("refuse0 " + call(object, definition, "refuse", "why", 0));
    InterfaceDef own = InterfaceDefHelper.narrow(object._get_interface_def());
    System.out.println("own " + own.id() + " " + call(object, own, "refuse", "why", 3));
    // The exceptions of attributes, by the interfaces of CORBA 3.
    org.omg.CORBA.ExtAttributeDef guarded =
        org.omg.CORBA.ExtAttributeDefHelper.narrow(definition.lookup("guarded"));
    System.out.println("guarded " + guarded.get_exceptions().length + " " + guarded.set_exceptions().length + " "
        + guarded.describe_attribute().put_exceptions[1].id);
    org.omg.CORBA.StringDef brief = repository.create_string(4);
    brief.bound(9);
    System.out.println("bound " + brief.bound() + " " + brief.type().length());
    brief.destroy();
    System.out.println("destroyed " + brief._non_existent());
    System.exit(0);
  }
}
