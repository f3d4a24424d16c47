import Interop.*;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.omg.CORBA.Any;
import org.omg.CORBA.COMM_FAILURE;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.CORBA.OBJECT_NOT_EXIST;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TRANSIENT;
import org.omg.CORBA.UNKNOWN;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

// Client REFERENCE [restart|times]: as interop_takt_client. With the property interop.dynamic, calls go through a gateway.
public final class Client {
  interface Body { void run() throws Exception; }

  static void check(String name, Body body) {
    try {
      body.run();
      System.out.println("PASS " + name);
    } catch (Throwable thrown) {
      Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
      String more = cause instanceof Mismatch ? "the server has another value of " + ((Mismatch) cause).type : "";
      System.out.println("FAIL " + name + ": " + (cause + " " + more).replace('\n', ' '));
    }
  }
  static void require(boolean holds, String what) {
    if (!holds) throw new IllegalStateException(what);
  }
  static <T extends Throwable> T expect(Class<T> expected, Body body) throws Exception {
    try {
      body.run();
    } catch (Throwable thrown) {
      if (expected.isInstance(thrown)) return expected.cast(thrown);
      throw new IllegalStateException("thrown was " + thrown);
    }
    throw new IllegalStateException("nothing was thrown");
  }

  static void checkTypes(Types types, Samples samples) {
    for (String name : samples.pairs.keySet()) {
      check("type." + name, () -> {
        for (Method method : TypesOperations.class.getMethods()) {
          if (!method.getName().equals("swap_" + name)) continue;
          Class<?> holder = method.getParameterTypes()[1];
          Object value = holder.getConstructor().newInstance(), high = holder.getConstructor().newInstance();
          holder.getField("value").set(value, samples.high(name));
          Object result = method.invoke(types, samples.low(name), value, high);
          require(Samples.same(result, samples.low(name)), "the result differs");
          require(Samples.same(holder.getField("value").get(value), samples.low(name)), "the inout argument differs");
          require(Samples.same(holder.getField("value").get(high), samples.high(name)), "the out argument differs");
        }
      });
      check("any." + name, () -> {
        types.take(name, samples.any(name));
        require(samples.holds(name, types.give(name)), "what was given differs");
        require(samples.holds(name, types.echo(samples.any(name))), "the echo differs");
      });
      check("typecode." + name, () -> {
        Any sample = samples.any(name);
        require(types.type_of(sample).equal(sample.type()), "the TypeCode differs");
      });
    }
  }

  static void checkCalls(Calls calls) {
    check("void", () -> calls.ping());
    check("attribute", () -> {
      calls.title("a title");
      require(calls.title().equals("a title"), "another value");
      require(calls.kinds() != null, "nil");
    });
    check("attribute.exceptions", () -> {
      calls.guarded(0);
      expect(Nothing.class, () -> calls.guarded());
      calls.guarded(5);
      Refused refused = expect(Refused.class, () -> calls.guarded(-3));
      require(refused.why.equals("negative") && refused.code == -3, "members differ");
      require(calls.guarded() == 5, "another value");
    });
    check("context", () -> require(calls.in_context((byte) 7, (byte) 0) == 21, "another number"));
    check("oneway", () -> {
      for (int n = 1; n <= 100; ++n) calls.note(n);
      // A server's threads may overtake each other, but no oneway may be lost.
      for (int tries = 0; calls.noted() == 0 && tries < 1000; ++tries) Thread.yield();
      require(calls.noted() > 0, "no oneway arrived");
    });
  }

  static void checkExceptions(Calls calls) {
    check("exception.user", () -> {
      Refused refused = expect(Refused.class, () -> calls.refuse("why not", -7));
      require(refused.why.equals("why not") && refused.code == -7, "members differ");
    });
    check("exception.empty", () -> expect(Nothing.class, () -> calls.refuse("", 0)));
    check("exception.system", () -> {
      NO_PERMISSION failure = expect(NO_PERMISSION.class, () -> calls.fail());
      require(failure.minor == 7 && failure.completed == CompletionStatus.COMPLETED_MAYBE, "minor or completion differs");
    });
    check("exception.unlisted", () -> expect(UNKNOWN.class, () -> calls.crash()));
    check("exception.no_object", () -> expect(OBJECT_NOT_EXIST.class, () -> calls.absent().ping()));
  }

  static void checkReferences(Calls calls, POA poa) {
    check("reference.call_back", () -> {
      Caller own = CallerHelper.narrow(poa.servant_to_reference(new Servants.Called()));
      for (int n = 0; n < 10; ++n) require(calls.call_back(own, n) == 2 * n + 1, "another number");
    });
    check("reference.returned", () -> {
      Caller giver = calls.giver();
      require(giver.called(21) == 42, "another number");
      require(calls.call_back(giver, 3) == 7, "another number by way of the server");
    });
    check("reference.same", () -> {
      require(calls.same(calls)._is_equivalent(calls), "another object");
      require(calls.same(null) == null, "nil is no longer nil");
    });
    check("reference.is_a", () -> {
      require(calls._is_a("IDL:Interop/Calls:1.0"), "is not what it is");
      org.omg.CORBA.Object object = calls.same(calls.giver());
      require(object._is_a("IDL:Interop/Caller:1.0"), "the giver is no Caller");
      require(!object._is_a("IDL:Interop/Calls:1.0"), "the giver is a Calls");
    });
    check("reference.struct", () -> {
      Link back = calls.pass_link(new Link((byte) 7, calls.giver(), null));
      require(back.o == 7 && back.to.called(4) == 8 && back.nobody == null, "another member");
    });
    check("reference.any", () -> {
      Any any = ORB.init().create_any();
      CallerHelper.insert(any, calls.giver());
      require(calls.call_any(any, 5) == 11, "another number");
      require(CallerHelper.extract(calls.any_of(calls.giver())).called(6) == 12, "another object");
      require(CallerHelper.extract(calls.any_of(null)) == null, "nil is no longer nil");
    });
    check("forward", () -> {
      Calls forwarded = calls.forwarded();
      forwarded.ping();
      forwarded.title("forwarded");
      require(calls.title().equals("forwarded"), "another object was called");
      require(forwarded.echo_octets(new byte[20000]).length == 20000, "another size");
    });
    check("locate", () -> {
      require(!calls._non_existent(), "the server's object does not exist");
      require(calls.absent()._non_existent(), "the absent one does");
    });
  }

  static void checkText(Calls calls) {
    String clef = Servants.Calling.CLEF;
    check("text.wide", () -> require(calls.pass_wide(clef).equals(clef), "another text"));
    check("text.narrow", () -> require(calls.pass_narrow(clef).equals(clef), "another text"));
  }

  static void checkValues(Interop.Values values, ORB orb) {
    byte[] few = {1, 2, 3};
    check("value.null", () -> require(values.pass_null(null) == null, "null is no longer null"));
    check("value.graph", () -> require(Valued.isGraph(values.pass_graph(Valued.graph())), "another graph"));
    check("value.shared", () -> {
      Node one = Valued.node(7);
      Pair back = values.pass_shared(one, new Pair(one, (byte) 9, one));
      require(back.one != null && back.one == back.two && back.one.name.equals("7"), "not the same");
    });
    check("value.derived", () -> require(Valued.isDerived(values.pass_derived(Valued.derived(few)), few), "another value"));
    check("value.truncated",
        () -> require(Valued.isDerived(values.pass_truncated(Valued.wide(), 77), few), "another value"));
    check("value.large",
        () -> require(Valued.isDerived(values.pass_large(Valued.derived(Valued.much())), Valued.much()), "another value"));
    check("value.custom", () -> require(Valued.isPacked(values.pass_packed(Valued.packed())), "another value"));
    check("value.text", () -> {
      require(values.pass_text("boxed").equals("boxed"), "another text");
      require(values.pass_text(null) == null, "null is no longer null");
    });
    check("value.numbers", () -> {
      int[] numbers = {1, -2, 3};
      require(Arrays.equals(values.pass_numbers(numbers), numbers), "other numbers");
    });
    check("value.any", () -> {
      Any any = orb.create_any();
      NodeHelper.insert(any, Valued.graph());
      require(Valued.isGraph(NodeHelper.extract(values.pass_any(any))), "another graph");
    });
    check("value.typecode", () -> {
      Any node = orb.create_any(), chunked = orb.create_any();
      NodeHelper.insert(node, Valued.node(1));
      DerivedHelper.insert(chunked, Valued.derived(few));
      require(values.type_of(node).equal(NodeHelper.type()), "the TypeCode of Node differs");
      require(values.type_of(chunked).equal(DerivedHelper.type()), "the TypeCode of Derived differs");
    });
  }

  static void checkThreads(Calls calls) {
    check("threads", () -> {
      AtomicInteger wrong = new AtomicInteger();
      Thread[] threads = new Thread[8];
      for (int n = 0; n < threads.length; ++n) {
        byte value = (byte) n;
        threads[n] = new Thread(() -> {
          for (int size = 1; size < 40000; size += 1000) {
            byte[] octets = new byte[size];
            Arrays.fill(octets, value);
            try {
              if (!Arrays.equals(calls.echo_octets(octets), octets)) wrong.incrementAndGet();
            } catch (RuntimeException failure) {
              wrong.incrementAndGet();
            }
          }
        });
        threads[n].start();
      }
      for (Thread thread : threads) thread.join();
      require(wrong.get() == 0, wrong + " of 320 calls went wrong");
    });
  }

  static void checkSizes(Calls calls) {
    for (int size : new int[] {0, 1000, 2047, 8190, 65536, 1048577})
      check("size.octets." + size, () -> {
        byte[] octets = new byte[size];
        for (int i = 0; i < size; ++i) octets[i] = (byte) (i * 31 + i / 256);
        require(Arrays.equals(calls.echo_octets(octets), octets), "other octets");
      });
    for (int size : new int[] {100, 3000, 50000})
      check("size.strings." + size, () -> {
        String[] strings = new String[size];
        for (int i = 0; i < size; ++i) strings[i] = "xxxxxxxxxxxxx".substring(0, i % 13) + i;
        require(Arrays.equals(calls.echo_strings(strings), strings), "other strings");
      });
  }

  // The server ends and restarts between "READY" and the line that comes back.
  static void checkRestart(Calls calls) throws Exception {
    checkThreads(calls);
    Caller giver = calls.giver();
    check("restart.before", () -> {
      calls.title("first");
      require(giver.called(2) == 4, "another number");
    });
    System.out.println("READY");
    System.in.read();
    check("restart.persistent", () -> {
      onceMore(() -> calls.ping());
      require(calls.title().isEmpty(), "the server did not start again");
      require(calls.giver().called(3) == 6, "another number");
    });
    check("restart.transient", () -> expect(OBJECT_NOT_EXIST.class, () -> onceMore(() -> giver.called(2))));
  }
  // Each broken connection is noticed by a call at the latest, which may fail without being repeated.
  static void onceMore(Body call) throws Exception {
    for (int tries = 0;; ++tries) {
      try {
        call.run();
        return;
      } catch (COMM_FAILURE | TRANSIENT failure) {
        if (tries == 10) throw failure;
      }
    }
  }

  static void checkAll(Calls calls, ORB orb, POA poa) throws Exception {
    checkCalls(calls);
    checkExceptions(calls);
    checkReferences(calls, poa);
    checkTypes(calls.kinds(), new Samples(orb));
    checkText(calls);
    Valued.registerFactories(orb);
    checkValues(calls.valued(), orb);
    checkSizes(calls);
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(arguments, System.getProperties());
    POA poa = Servants.bothWays(orb, POAHelper.narrow(orb.resolve_initial_references("RootPOA")));
    poa.the_POAManager().activate();
    Calls calls = CallsHelper.narrow(orb.string_to_object(arguments[0]));
    if (System.getProperty("interop.dynamic") != null) calls = Gateway.to(calls, orb, arguments);
    if (arguments.length == 1) {
      // An ORB that sends a LocateRequest before the first call.
      Properties asking = new Properties();
      asking.putAll(System.getProperties());
      asking.setProperty("jacorb.locate_on_bind", "on");
      CallsHelper.narrow(ORB.init(arguments, asking).string_to_object(arguments[0])).ping();
      checkAll(calls, orb, poa);
    } else if (arguments[1].equals("times"))
      Times.check(calls, orb, poa);
    else
      checkRestart(calls);
    System.out.flush();
    System.exit(0);
  }
}
