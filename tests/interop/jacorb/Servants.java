import Interop.*;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.omg.BiDirPolicy.BIDIRECTIONAL_POLICY_TYPE;
import org.omg.BiDirPolicy.BOTH;
import org.omg.BiDirPolicy.BidirectionalPolicyValueHelper;
import org.omg.CORBA.Any;
import org.omg.CORBA.LocalObject;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.ImplicitActivationPolicyValue;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.Servant;

// The servants for JacORB; takt/servants.h has the same.
final class Servants {
  // A POA for objects that may be called over connections that their own side has opened, with the necessary property.
  static POA bothWays(ORB orb, POA root) throws Exception {
    if (System.getProperty("interop.bidirectional") == null) return root;
    Any value = orb.create_any();
    BidirectionalPolicyValueHelper.insert(value, BOTH.value);
    Policy[] policies = {orb.create_policy(BIDIRECTIONAL_POLICY_TYPE.value, value),
                         root.create_implicit_activation_policy(ImplicitActivationPolicyValue.IMPLICIT_ACTIVATION)};
    return root.create_POA("both", root.the_POAManager(), policies);
  }

  // One handler implements all swap_ operations.
  static Servant types(Samples samples) {
    InvocationHandler handler = (proxy, method, arguments) -> {
      String name = method.getName();
      if (name.startsWith("swap_")) return swap(samples, name.substring(5), arguments);
      if (name.equals("give")) return samples.any((String) arguments[0]);
      if (name.equals("echo")) return arguments[0];
      if (name.equals("type_of")) return ((Any) arguments[0]).type();
      require(samples.holds((String) arguments[0], (Any) arguments[1]), "any of " + arguments[0]);
      return null;
    };
    return new TypesPOATie((TypesOperations) Proxy.newProxyInstance(
        Servants.class.getClassLoader(), new Class<?>[] {TypesOperations.class}, handler));
  }

  private static Object swap(Samples samples, String name, Object[] arguments) throws Exception {
    java.lang.reflect.Field value = arguments[1].getClass().getField("value");
    require(Samples.same(arguments[0], samples.low(name)), name + ": in");
    require(Samples.same(value.get(arguments[1]), samples.high(name)), name + ": inout");
    value.set(arguments[1], samples.low(name));
    value.set(arguments[2], samples.high(name));
    return samples.low(name);
  }

  private static void require(boolean holds, String type) throws Mismatch {
    if (!holds) throw new Mismatch(type);
  }

  static final class Called extends CallerPOA {
    public int called(int n) { return 2 * n; }
  }

  static final class Calling extends CallsPOA {
    static final String CLEF = "a\ud834\udd1eb";
    Types kinds;
    Interop.Values values;
    Caller giver;
    Calls forwarded, absent;
    private volatile String title = "";
    private volatile int noted, guarded;

    public Types kinds() { return kinds; }
    public Interop.Values valued() { return values; }
    public String title() { return title; }
    public void title(String title) { this.title = title; }
    public int guarded() throws Nothing {
      if (guarded == 0) throw new Nothing();
      return guarded;
    }
    public void guarded(int value) throws Refused {
      if (value < 0) throw new Refused("negative", value);
      guarded = value;
    }
    public int in_context(byte n, byte unused) { return 3 * n; }
    public void ping() {}
    public void note(int value) { noted = value; }
    public int noted() { return noted; }
    public void refuse(String why, int code) throws Nothing, Refused {
      if (code == 0) throw new Nothing();
      throw new Refused(why, code);
    }
    public void fail() { throw new NO_PERMISSION(7, CompletionStatus.COMPLETED_MAYBE); }
    public void crash() { throw new IllegalStateException("unlisted"); }
    public int call_back(Caller other, int n) { return other.called(n) + 1; }
    public Caller giver() { return giver; }
    public org.omg.CORBA.Object same(org.omg.CORBA.Object reference) { return reference; }
    public Calls forwarded() { return forwarded; }
    public Calls absent() { return absent; }
    public Link pass_link(Link value) { return value; }
    public Any any_of(Caller other) {
      Any any = org.omg.CORBA.ORB.init().create_any();
      any.insert_Object(other, CallerHelper.type());  // the helper loses the type of nil
      return any;
    }
    public int call_any(Any other, int n) { return CallerHelper.extract(other).called(n) + 1; }
    public String pass_wide(String value) throws Mismatch {
      require(value.equals(CLEF), "wide text");
      return value;
    }
    public String pass_narrow(String value) throws Mismatch {
      require(value.equals(CLEF), "narrow text");
      return value;
    }
    public byte[] echo_octets(byte[] value) { return value; }
    public String[] echo_strings(String[] value) { return value; }
  }
}
