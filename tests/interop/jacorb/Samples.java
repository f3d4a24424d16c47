import Interop.*;
import Interop.Record;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TCKind;

// The samples of idl/types.idl for JacORB; takt/samples.h has the same.
final class Samples {
  final Map<String, Object[]> pairs = new LinkedHashMap<>();
  private final ORB orb;

  Samples(ORB orb) {
    this.orb = orb;
    add("boolean", false, true);
    add("octet", (byte) 0, (byte) 255);
    add("char", '\1', '~');
    add("short", Short.MIN_VALUE, Short.MAX_VALUE);
    add("ushort", (short) 0, (short) 65535);
    add("long", Integer.MIN_VALUE, Integer.MAX_VALUE);
    add("ulong", 0, 0xffffffff);
    add("longlong", Long.MIN_VALUE, Long.MAX_VALUE);
    add("ulonglong", 0L, 0xffffffffffffffffL);
    add("float", -Float.MAX_VALUE, Float.MAX_VALUE);
    add("double", -Double.MAX_VALUE, Double.MAX_VALUE);
    add("wchar", 'a', '\u20ac');
    add("string", "", "a string");
    add("wstring", "", "Za\u017c\u00f3\u0142\u0107 \u65e5\u672c \u20ac");
    add("text", "Gr\u00fc\u00dfe", "Za\u017c\u00f3\u0142\u0107 \u65e5\u672c \u20ac");
    add("word", "", "words");
    add("money", new BigDecimal("-99999999999999.9999"), new BigDecimal("1234.5000"));
    add("colour", Colour.red, Colour.blue);
    Record low = new Record((byte) 0, -0.5, (short) -1, -2, 'a', -3);
    Record high = new Record((byte) 255, 1e300, (short) 32767, 9223372036854775807L, 'z', 2147483647);
    add("record", low, high);
    byte[] octets = {0, 1, 127, (byte) 128, (byte) 255};
    Record[] records = {low, high, low};
    Variable variable = new Variable("variable", octets, Colour.green, records, true);
    add("variable", new Variable("", new byte[0], Colour.red, new Record[0], false), variable);
    add("octets", new byte[0], octets);
    add("doubles", new double[0], new double[] {0.25, -1e300, 3});
    add("flags", new boolean[0], new boolean[] {true, false, true});
    add("table", new String[0][], new String[][] {{"a", ""}, {}, {"bcd"}});
    add("records", new Record[0], records);
    add("few", new short[0], new short[] {-32768, 0, 32767});
    add("matrix", new int[2][3], new int[][] {{Integer.MIN_VALUE, -1, 0}, {1, 2, Integer.MAX_VALUE}});
    add("names", new String[] {"", ""}, new String[] {"first", "second"});
    Choice number = new Choice(), text = new Choice();
    number.number(-5);
    text.text(3, "chosen");
    add("choice", number, text);
    Choice chosen = new Choice(), rest = new Choice();
    chosen.text(2, "");
    rest.rest(high);  // the discriminator 0, the only one that JacORB accepts for the default member
    add("fallback", chosen, rest);
    Answer nothing = new Answer(), lines = new Answer();
    nothing.__default();
    lines.lines(new String[] {"yes", "indeed"});
    add("answer", nothing, lines);
    Shade depth = new Shade(), depths = new Shade();
    depth.depth((byte) 7);
    depths.depths(new double[] {0.5});
    add("shade", depth, depths);
    Tree leaf = new Tree("leaf", new Tree[0]);
    add("tree", leaf,
        new Tree("root", new Tree[] {new Tree("left", new Tree[] {leaf}), new Tree("right", new Tree[0])}));
    Any fortyTwo = orb.create_any(), record = orb.create_any();
    fortyTwo.insert_long(42);
    VariableHelper.insert(record, variable);
    add("any", fortyTwo, record);
  }

  private void add(String name, Object low, Object high) { pairs.put(name, new Object[] {low, high}); }
  Object low(String name) { return pairs.get(name)[0]; }
  Object high(String name) { return pairs.get(name)[1]; }

  // The second sample of a type in an any.
  Any any(String name) throws Exception {
    Any any = orb.create_any();
    Object value = high(name);
    switch (name) {
      case "boolean": any.insert_boolean((Boolean) value); break;
      case "octet": any.insert_octet((Byte) value); break;
      case "char": any.insert_char((Character) value); break;
      case "short": any.insert_short((Short) value); break;
      case "ushort": any.insert_ushort((Short) value); break;
      case "long": any.insert_long((Integer) value); break;
      case "ulong": any.insert_ulong((Integer) value); break;
      case "longlong": any.insert_longlong((Long) value); break;
      case "ulonglong": any.insert_ulonglong((Long) value); break;
      case "float": any.insert_float((Float) value); break;
      case "double": any.insert_double((Double) value); break;
      case "wchar": any.insert_wchar((Character) value); break;
      case "string": case "text": any.insert_string((String) value); break;
      case "wstring": any.insert_wstring((String) value); break;
      case "money": any.insert_fixed((BigDecimal) value, orb.create_fixed_tc((short) 18, (short) 4)); break;
      case "any": any.insert_any((Any) value); break;
      default:
        for (Method method : helper(name).getMethods())
          if (method.getName().equals("insert")) method.invoke(null, any, value);
    }
    return any;
  }

  boolean holds(String name, Any any) throws Exception {
    if (!any.type().equivalent(any(name).type())) return false;
    return same(extract(name, any), high(name));
  }

  private Object extract(String name, Any any) throws Exception {
    switch (name) {
      case "boolean": return any.extract_boolean();
      case "octet": return any.extract_octet();
      case "char": return any.extract_char();
      case "short": return any.extract_short();
      case "ushort": return any.extract_ushort();
      case "long": return any.extract_long();
      case "ulong": return any.extract_ulong();
      case "longlong": return any.extract_longlong();
      case "ulonglong": return any.extract_ulonglong();
      case "float": return any.extract_float();
      case "double": return any.extract_double();
      case "wchar": return any.extract_wchar();
      case "string": case "text": case "word": return any.extract_string();
      case "wstring": return any.extract_wstring();
      case "money": return any.extract_fixed();
      case "any": return any.extract_any();
      default: return helper(name).getMethod("extract", Any.class).invoke(null, any);
    }
  }

  private static Class<?> helper(String name) throws Exception {
    if (name.equals("fallback")) name = "choice";
    return Class.forName("Interop." + Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Helper");
  }

  // Compares values member by member.
  static boolean same(Object a, Object b) throws Exception {
    if (a == null || b == null) return a == b;
    if (a.getClass().isArray()) {
      if (Array.getLength(a) != Array.getLength(b)) return false;
      for (int i = 0; i < Array.getLength(a); ++i)
        if (!same(Array.get(a, i), Array.get(b, i))) return false;
      return true;
    }
    if (a instanceof BigDecimal) return ((BigDecimal) a).compareTo((BigDecimal) b) == 0;
    if (a instanceof Any) {
      Any left = (Any) a, right = (Any) b;
      if (!left.type().equivalent(right.type())) return false;
      if (left.type().kind().value() == TCKind._tk_long) return left.extract_long() == right.extract_long();
      return same(VariableHelper.extract(left), VariableHelper.extract(right));
    }
    if (a instanceof Colour) return ((Colour) a).value() == ((Colour) b).value();
    if (!a.getClass().getName().startsWith("Interop.")) return a.equals(b);
    for (Field field : a.getClass().getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) continue;
      field.setAccessible(true);
      if (!same(field.get(a), field.get(b))) return false;
    }
    return true;
  }
}
