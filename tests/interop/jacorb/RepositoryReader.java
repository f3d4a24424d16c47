import java.util.Set;
import java.util.TreeSet;
import org.omg.CORBA.Contained;
import org.omg.CORBA.ContainerPackage.Description;
import org.omg.CORBA.DefinitionKind;
import org.omg.CORBA.InterfaceDef;
import org.omg.CORBA.InterfaceDefHelper;
import org.omg.CORBA.InterfaceDefPackage.FullInterfaceDescription;
import org.omg.CORBA.ModuleDef;
import org.omg.CORBA.ModuleDefHelper;
import org.omg.CORBA.ORB;
import org.omg.CORBA.PrimitiveKind;
import org.omg.CORBA.Repository;
import org.omg.CORBA.RepositoryHelper;
import org.omg.CORBA.StructDef;
import org.omg.CORBA.StructMember;
import org.omg.CORBA.ValueDefHelper;
import org.omg.CORBA.ValueDefPackage.FullValueDescription;

// RepositoryReader REFERENCE: prints what a repository with the IDL of the tests says, and writes to it.
public final class RepositoryReader {
  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(arguments, System.getProperties());
    Repository repository = RepositoryHelper.narrow(orb.string_to_object(arguments[0]));
    Contained[] outermost = repository.contents(DefinitionKind.dk_all, true);
    System.out.println("outermost " + outermost.length + " " + outermost[0].absolute_name());
    ModuleDef module = ModuleDefHelper.narrow(outermost[0]);
    Set<String> values = new TreeSet<>();
    for (Contained each : module.contents(DefinitionKind.dk_Value, true)) values.add(each.name());
    System.out.println("values " + String.join(" ", values));
    Description[] exceptions = module.describe_contents(DefinitionKind.dk_Exception, true, -1);
    Set<String> ids = new TreeSet<>();
    for (Description each : exceptions) ids.add(org.omg.CORBA.ExceptionDescriptionHelper.extract(each.value).id);
    System.out.println("exceptions " + String.join(" ", ids));
    InterfaceDef calls = InterfaceDefHelper.narrow(repository.lookup_id("IDL:Interop/Calls:1.0"));
    FullInterfaceDescription full = calls.describe_interface();
    System.out.println("interface " + full.id + " " + full.operations.length + " " + full.attributes.length + " "
        + calls.is_a("IDL:Interop/Types:1.0"));
    FullValueDescription derived =
        ValueDefHelper.narrow(repository.lookup("::Interop::Derived")).describe_value();
    System.out.println("value " + derived.base_value + " " + derived.is_truncatable + " " + derived.members.length);
    StructMember member = new StructMember(
        "x", orb.get_primitive_tc(org.omg.CORBA.TCKind.tk_void), repository.get_primitive(PrimitiveKind.pk_long));
    ModuleDef made = repository.create_module("IDL:Made:1.0", "Made", "1.0");
    StructDef struct = made.create_struct("IDL:Made/S:1.0", "S", "1.0", new StructMember[] {member});
    System.out.println("made " + struct.absolute_name() + " " + struct.type().member_type(0).kind().value());
    made.destroy();
    System.out.println("destroyed " + (repository.lookup_id("IDL:Made/S:1.0") == null));
    System.exit(0);
  }
}
