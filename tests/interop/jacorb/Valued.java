import Interop.*;
import java.io.Serializable;
import java.util.Arrays;
import java.util.function.Supplier;
import org.omg.CORBA.Any;
import org.omg.CORBA.DataInputStream;
import org.omg.CORBA.DataOutputStream;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TypeCode;
import org.omg.CORBA.portable.ValueFactory;
import org.omg.CORBA_2_3.portable.InputStream;

// The samples of idl/values.idl for JacORB, and the servant that receives them; takt/values.h has the same.
final class Valued {
  static final class NodeValue extends Node {}
  static final class BaseValue extends Base {}
  static final class DerivedValue extends Derived {}
  static final class WideValue extends Wide {}
  static final class PackedValue extends Packed {
    public void marshal(DataOutputStream to) {
      to.write_long(count);
      to.write_string(word);
    }
    public void unmarshal(DataInputStream from) {
      count = from.read_long();
      word = from.read_string();
    }
  }

  static void registerFactories(ORB orb) {
    register(orb, NodeHelper.id(), NodeValue::new);
    register(orb, BaseHelper.id(), BaseValue::new);
    register(orb, DerivedHelper.id(), DerivedValue::new);
    register(orb, PackedHelper.id(), PackedValue::new);
  }
  private static void register(ORB orb, String id, Supplier<Serializable> maker) {
    ValueFactory factory = (InputStream in) -> in.read_value(maker.get());
    ((org.omg.CORBA_2_3.ORB) orb).register_value_factory(id, factory);
  }

  static Node node(int number) {
    Node node = new NodeValue();
    node.number = number;
    node.name = Integer.toString(number);
    node.others = new Node[0];
    return node;
  }
  // Three nodes in a circle. The first has the second twice in others, with null between.
  static Node graph() {
    Node first = node(1), second = node(2), third = node(3);
    first.next = second;
    second.next = third;
    third.next = first;
    first.others = new Node[] {second, null, second};
    return first;
  }
  static boolean isGraph(Node first) {
    if (first == null || first.next == null || first.next.next == null) return false;
    Node second = first.next, third = second.next;
    return first.number == 1 && second.number == 2 && third.number == 3 && third.name.equals("3")
        && third.next == first && first.others.length == 3 && first.others[0] == second
        && first.others[1] == null && first.others[2] == second && third.others.length == 0;
  }

  private static <D extends Derived> D fill(D value, byte[] data) {
    value.small = 7;
    value.large = 2.5;
    Derived inner = new DerivedValue();
    inner.small = 8;
    inner.large = -0.5;
    inner.data = new byte[0];
    value.inner = inner;
    value.data = data;
    value.last = "last";
    return value;
  }
  static Derived derived(byte[] data) { return fill(new DerivedValue(), data); }
  static Wide wide() {
    Wide wide = fill(new WideValue(), new byte[] {1, 2, 3});
    wide.lost = new BaseValue();
    wide.lost.small = 9;
    wide.more = -1;
    wide.label = "label";
    return wide;
  }
  // Also true for a wide() truncated to a Derived.
  static boolean isDerived(Base value, byte[] data) {
    if (!(value instanceof Derived) || value instanceof Wide) return false;
    Derived outer = (Derived) value;
    if (!(outer.inner instanceof Derived)) return false;
    Derived inner = (Derived) outer.inner;
    return outer.small == 7 && outer.large == 2.5 && Arrays.equals(outer.data, data) && outer.last.equals("last")
        && inner.small == 8 && inner.large == -0.5 && inner.inner == null;
  }
  static byte[] much() {
    byte[] octets = new byte[100000];
    for (int i = 0; i < octets.length; ++i) octets[i] = (byte) (i * 31 + i / 256);
    return octets;
  }

  static Packed packed() {
    Packed value = new PackedValue();
    value.count = -3;
    value.word = "packed";
    return value;
  }
  static boolean isPacked(Packed value) {
    return value != null && value.count == -3 && value.word.equals("packed");
  }

  static final class Servant extends ValuesPOA {
    private static final byte[] FEW = {1, 2, 3};

    public Node pass_null(Node none) throws Mismatch {
      require(none == null, "null");
      return none;
    }
    public Node pass_graph(Node ring) throws Mismatch {
      require(isGraph(ring), "graph");
      return ring;
    }
    public Pair pass_shared(Node one, Pair both) throws Mismatch {
      require(one.number == 7 && both.one == one && both.two == one && both.between == 9, "shared");
      return both;
    }
    public Base pass_derived(Base value) throws Mismatch {
      require(isDerived(value, FEW), "derived");
      return value;
    }
    public Base pass_truncated(Base value, int after) throws Mismatch {
      require(isDerived(value, FEW) && after == 77, "truncated");
      return wide();
    }
    public Derived pass_large(Derived value) throws Mismatch {
      require(isDerived(value, much()), "large");
      return value;
    }
    public Packed pass_packed(Packed value) throws Mismatch {
      require(isPacked(value), "packed");
      return value;
    }
    public String pass_text(String boxed) throws Mismatch {
      require(boxed == null || boxed.equals("boxed"), "text");
      return boxed;
    }
    public int[] pass_numbers(int[] boxed) throws Mismatch {
      require(Arrays.equals(boxed, new int[] {1, -2, 3}), "numbers");
      return boxed;
    }
    public Any pass_any(Any value) throws Mismatch {
      require(isGraph(NodeHelper.extract(value)), "any");
      return value;
    }
    public TypeCode type_of(Any value) { return value.type(); }

    private static void require(boolean holds, String what) throws Mismatch {
      if (!holds) throw new Mismatch(what);
    }
  }
}
