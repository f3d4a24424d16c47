import Interop.*;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.omg.CORBA.ARG_IN;
import org.omg.CORBA.ARG_INOUT;
import org.omg.CORBA.ARG_OUT;
import org.omg.CORBA.Any;
import org.omg.CORBA.BAD_OPERATION;
import org.omg.CORBA.ExceptionList;
import org.omg.CORBA.NVList;
import org.omg.CORBA.NamedValue;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Request;
import org.omg.CORBA.ServerRequest;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;
import org.omg.CORBA.UnknownUserException;
import org.omg.PortableServer.DynamicImplementation;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

// An object without generated code in front of another one: it answers by DSI with the results of a DII call. The
// types are those of the IDL. Gateways are in an ORB of their own, since JacORB's stubs do not call dynamic servants
// of their own ORB.
final class Gateway extends DynamicImplementation {
  private static final class Operation {
    final List<Integer> flags = new ArrayList<>();
    final List<TypeCode> types = new ArrayList<>();
    final TypeCode result;
    TypeCode[] raises = {};

    Operation(TypeCode result, TypeCode... in) {
      this.result = result;
      for (TypeCode type : in) add(ARG_IN.value, type);
    }
    Operation add(int flag, TypeCode type) {
      flags.add(flag);
      types.add(type);
      return this;
    }
    Operation raising(TypeCode... raises) {
      this.raises = raises;
      return this;
    }
  }

  private final ORB orb;
  private final POA poa;
  private final String id;
  private final org.omg.CORBA.Object target;
  private final Map<String, Operation> operations = new HashMap<>();

  private Gateway(ORB orb, String id, org.omg.CORBA.Object target) throws Exception {
    this.orb = orb;
    this.poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    this.id = id;
    this.target = target;
    if (id.equals(TypesHelper.id())) addTypes();
    if (id.equals(CallsHelper.id())) addCalls();
  }

  // Through a gateway to the object, for the other ORB.
  static Calls to(Calls calls, ORB other, String[] arguments) throws Exception {
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    properties.setProperty("OAPort", "0");
    properties.remove("org.omg.PortableInterceptor.ORBInitializerClass.Elsewhere");
    ORB own = ORB.init(arguments, properties);
    POAHelper.narrow(own.resolve_initial_references("RootPOA")).the_POAManager().activate();
    org.omg.CORBA.Object target = own.string_to_object(other.object_to_string(calls));
    org.omg.CORBA.Object object = new Gateway(own, CallsHelper.id(), target).reference();
    return CallsHelper.unchecked_narrow(other.string_to_object(own.object_to_string(object)));
  }

  private org.omg.CORBA.Object reference() throws Exception {
    return poa.id_to_reference(poa.activate_object(this));
  }

  private TypeCode basic(TCKind kind) { return orb.get_primitive_tc(kind); }

  private void addTypes() throws Exception {
    TypeCode any = basic(TCKind.tk_any), string = orb.create_string_tc(0), nothing = basic(TCKind.tk_void);
    Samples samples = new Samples(orb);
    for (String name : samples.pairs.keySet()) {
      TypeCode type = samples.any(name).type();
      operations.put("swap_" + name,
          new Operation(type).add(ARG_IN.value, type).add(ARG_INOUT.value, type).add(ARG_OUT.value, type)
              .raising(MismatchHelper.type()));
    }
    operations.put("give", new Operation(any, string).raising(MismatchHelper.type()));
    operations.put("take", new Operation(nothing, string, any).raising(MismatchHelper.type()));
    operations.put("echo", new Operation(any, any));
    operations.put("type_of", new Operation(basic(TCKind.tk_TypeCode), any));
  }

  private void addCalls() {
    TypeCode nothing = basic(TCKind.tk_void), number = basic(TCKind.tk_long), octet = basic(TCKind.tk_octet);
    TypeCode string = orb.create_string_tc(0), wide = orb.create_wstring_tc(0), any = basic(TCKind.tk_any);
    TypeCode object = orb.create_interface_tc("IDL:omg.org/CORBA/Object:1.0", "Object");
    operations.put("_get_kinds", new Operation(TypesHelper.type()));
    operations.put("_get_valued", new Operation(ValuesHelper.type()));
    operations.put("_get_title", new Operation(string));
    operations.put("_set_title", new Operation(nothing, string));
    operations.put("_get_guarded", new Operation(number).raising(NothingHelper.type()));
    operations.put("_set_guarded", new Operation(nothing, number).raising(NothingHelper.type(), RefusedHelper.type()));
    operations.put("ping", new Operation(nothing));
    operations.put("note", new Operation(nothing, number));
    operations.put("noted", new Operation(number));
    operations.put("in_context", new Operation(number, octet, octet));
    operations.put("refuse",
        new Operation(nothing, string, number).raising(NothingHelper.type(), RefusedHelper.type()));
    operations.put("fail", new Operation(nothing));
    operations.put("crash", new Operation(nothing));
    operations.put("call_back", new Operation(number, CallerHelper.type(), number));
    operations.put("giver", new Operation(CallerHelper.type()));
    operations.put("same", new Operation(object, object));
    operations.put("forwarded", new Operation(CallsHelper.type()));
    operations.put("absent", new Operation(CallsHelper.type()));
    operations.put("pass_link", new Operation(LinkHelper.type(), LinkHelper.type()));
    operations.put("any_of", new Operation(any, CallerHelper.type()));
    operations.put("call_any", new Operation(number, any, number));
    operations.put("pass_wide", new Operation(wide, wide).raising(MismatchHelper.type()));
    operations.put("pass_narrow", new Operation(string, string).raising(MismatchHelper.type()));
    operations.put("echo_octets", new Operation(OctetsHelper.type(), OctetsHelper.type()));
    operations.put("echo_strings", new Operation(StringsHelper.type(), StringsHelper.type()));
  }

  @Override
  public void invoke(ServerRequest request) {
    Operation operation = operations.get(request.operation());
    if (operation == null) throw new BAD_OPERATION();
    NVList list = orb.create_list(0);
    for (int i = 0; i < operation.types.size(); ++i)
      list.add_value("", typed(operation.types.get(i)), operation.flags.get(i));
    request.arguments(list);
    NamedValue result = orb.create_named_value("", typed(operation.result), ARG_OUT.value);
    ExceptionList raises = orb.create_exception_list();
    for (TypeCode raised : operation.raises) raises.add(raised);
    Request call = target._create_request(null, request.operation(), list, result, raises, orb.create_context_list());
    if (request.operation().equals("note")) {
      call.send_oneway();
      return;
    }
    call.invoke();
    Exception raised = call.env().exception();
    if (raised instanceof UnknownUserException) {
      request.set_exception(((UnknownUserException) raised).except);
    } else if (raised != null) {
      throw (RuntimeException) raised;
    } else if (operation.result.kind().value() != TCKind._tk_void) {
      request.set_result(request.operation().equals("_get_kinds") ? toTypes(result.value()) : result.value());
    }
  }

  private Any typed(TypeCode type) {
    Any any = orb.create_any();
    any.type(type);
    return any;
  }

  // Values stay without one: JacORB has no values in Anys.
  private Any toTypes(Any result) {
    org.omg.CORBA.Object types = result.extract_Object();
    if (types == null) return result;
    try {
      Any any = orb.create_any();
      any.insert_Object(new Gateway(orb, TypesHelper.id(), types).reference(), TypesHelper.type());
      return any;
    } catch (Exception failure) {
      throw new org.omg.CORBA.INTERNAL(failure.toString());
    }
  }

  @Override
  public String[] _all_interfaces(POA poa, byte[] object) {
    return new String[] {id};
  }
}
