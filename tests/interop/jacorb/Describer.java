import org.omg.CORBA.InterfaceDef;
import org.omg.CORBA.InterfaceDefHelper;
import org.omg.CORBA.InterfaceDefPackage.FullInterfaceDescription;
import org.omg.CORBA.ORB;
import org.omg.CORBA.OperationDescription;

// Describer REFERENCE: prints what an object's server says of its interface.
public final class Describer {
  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(arguments, System.getProperties());
    org.omg.CORBA.Object object = orb.string_to_object(arguments[0]);
    InterfaceDef definition = InterfaceDefHelper.narrow(object._get_interface_def());
    FullInterfaceDescription described = definition.describe_interface();
    System.out.println(described.id + " " + described.operations.length + " " + described.attributes.length);
    for (OperationDescription operation : described.operations) {
      StringBuilder line = new StringBuilder(operation.name + " " + operation.result.kind().value());
      for (org.omg.CORBA.ParameterDescription parameter : operation.parameters)
        line.append(" ").append(parameter.name).append(":").append(parameter.mode.value()).append(":")
            .append(parameter.type.kind().value());
      for (org.omg.CORBA.ExceptionDescription raised : operation.exceptions) line.append(" ").append(raised.type.id());
      System.out.println(line);
    }
    System.exit(0);
  }
}
