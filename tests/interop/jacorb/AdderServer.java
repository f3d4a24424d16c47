import Sums.*;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.IdAssignmentPolicyValue;
import org.omg.PortableServer.LifespanPolicyValue;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

// AdderServer FILE [ADAPTER]: writes the reference of an object to the file, and serves until it is killed. With ADAPTER,
// the object is in a persistent adapter of that name.
public final class AdderServer {
  private static final class Servant extends AdderPOA {
    private int count;
    private String title = "sums";

    @Override public int count() {
      return count;
    }
    @Override public String title() {
      return title;
    }
    @Override public void title(String value) {
      title = value;
    }
    @Override public int add(int a, int b) throws TooMuch {
      ++count;
      if (a + b > 1000) throw new TooMuch("the sum is " + (a + b), 1000);
      return a + b;
    }
    @Override public Point[] turn(Point[] all, OrderHolder how, IntHolder number) {
      Point[] turned = new Point[all.length];
      for (int i = 0; i < all.length; ++i) turned[i] = new Point(all[i].y, all[i].x);
      how.value = how.value == Order.rising ? Order.falling : Order.rising;
      number.value = all.length;
      return turned;
    }
    @Override public void note(String text) {
      title = text;
    }
  }

  private static org.omg.CORBA.Object persistent(POA root, String name) throws Exception {
    POA adapter = root.create_POA(name, root.the_POAManager(),
        new Policy[] {root.create_lifespan_policy(LifespanPolicyValue.PERSISTENT),
                      root.create_id_assignment_policy(IdAssignmentPolicyValue.USER_ID)});
    byte[] id = "adder".getBytes("US-ASCII");
    adapter.activate_object_with_id(id, new Servant());
    return adapter.id_to_reference(id);
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(arguments, System.getProperties());
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    String reference =
        orb.object_to_string(arguments.length > 1 ? persistent(root, arguments[1]) : root.servant_to_reference(new Servant()));
    root.the_POAManager().activate();  // after its object: a repository forwards as soon as the adapter is there
    Files.write(Paths.get(arguments[0] + ".new"), reference.getBytes("US-ASCII"));
    Files.move(Paths.get(arguments[0] + ".new"), Paths.get(arguments[0]), StandardCopyOption.ATOMIC_MOVE);
    orb.run();
  }
}
