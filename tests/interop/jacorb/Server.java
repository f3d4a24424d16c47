import Interop.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.IdAssignmentPolicyValue;
import org.omg.PortableServer.LifespanPolicyValue;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

// Server FILE: writes its object's reference to the file, and that of the persistent object to FILE.lasting, then
// serves until it is killed. With the property interop.dynamic, its object is behind a gateway.
public final class Server {
  public static void main(String[] arguments) throws Exception {
    System.setProperty("org.omg.PortableInterceptor.ORBInitializerClass.Elsewhere", "");
    ORB orb = ORB.init(arguments, System.getProperties());
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    Servants.Calling servant = new Servants.Calling();
    Calls calls = CallsHelper.narrow(Servants.bothWays(orb, root).servant_to_reference(servant));
    servant.kinds = TypesHelper.narrow(root.servant_to_reference(Servants.types(new Samples(orb))));
    servant.values = ValuesHelper.narrow(root.servant_to_reference(new Valued.Servant()));
    Valued.registerFactories(orb);
    servant.giver = CallerHelper.narrow(root.servant_to_reference(new Servants.Called()));
    servant.absent = CallsHelper.unchecked_narrow(root.create_reference(CallsHelper.id()));
    byte[] forwarded = root.activate_object(new Servants.Calling());
    Elsewhere.forward(forwarded, calls);
    servant.forwarded = CallsHelper.unchecked_narrow(root.id_to_reference(forwarded));

    write(arguments[0] + ".lasting", orb.object_to_string(lasting(root, servant.giver)));
    if (System.getProperty("interop.dynamic") != null) calls = Gateway.to(calls, orb, arguments);
    write(arguments[0], orb.object_to_string(calls));
    orb.run();
  }

  // An object that has the same reference after the server has restarted at its endpoint.
  private static org.omg.CORBA.Object lasting(POA root, Caller giver) throws Exception {
    Policy[] policies = {root.create_lifespan_policy(LifespanPolicyValue.PERSISTENT),
                         root.create_id_assignment_policy(IdAssignmentPolicyValue.USER_ID)};
    POA poa = root.create_POA("lasting", root.the_POAManager(), policies);
    Servants.Calling servant = new Servants.Calling();
    servant.giver = giver;
    poa.activate_object_with_id("calls".getBytes("US-ASCII"), servant);
    return poa.servant_to_reference(servant);
  }

  // Writes the file such that it is never visible in part.
  private static void write(String name, String reference) throws Exception {
    Path file = Paths.get(name), part = Paths.get(name + ".new");
    Files.write(part, reference.getBytes("US-ASCII"));
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
