import Interop.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

// Server FILE: writes its object's reference to the file, then serves until it is killed.
public final class Server {
  public static void main(String[] arguments) throws Exception {
    System.setProperty("org.omg.PortableInterceptor.ORBInitializerClass.Elsewhere", "");
    ORB orb = ORB.init(arguments, System.getProperties());
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    Servants.Calling servant = new Servants.Calling();
    Calls calls = CallsHelper.narrow(root.servant_to_reference(servant));
    servant.kinds = TypesHelper.narrow(root.servant_to_reference(Servants.types(new Samples(orb))));
    servant.values = ValuesHelper.narrow(root.servant_to_reference(new Valued.Servant()));
    Valued.registerFactories(orb);
    servant.giver = CallerHelper.narrow(root.servant_to_reference(new Servants.Called()));
    servant.absent = CallsHelper.unchecked_narrow(root.create_reference(CallsHelper.id()));
    byte[] forwarded = root.activate_object(new Servants.Calling());
    Elsewhere.forward(forwarded, calls);
    servant.forwarded = CallsHelper.unchecked_narrow(root.id_to_reference(forwarded));

    Path file = Paths.get(arguments[0]), part = Paths.get(arguments[0] + ".new");
    Files.write(part, orb.object_to_string(calls).getBytes("US-ASCII"));
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    orb.run();
  }
}
