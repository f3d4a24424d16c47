import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.omg.CORBA.Any;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.ORB;
import org.omg.CosNotification.EventHeader;
import org.omg.CosNotification.EventType;
import org.omg.CosNotification.FixedEventHeader;
import org.omg.CosNotification.FifoOrder;
import org.omg.CosNotification.OrderPolicy;
import org.omg.CosNotification.Property;
import org.omg.CosNotification.QoSError_code;
import org.omg.CosNotification.StructuredEvent;
import org.omg.CosNotification.UnsupportedQoS;
import org.omg.CosNotifyChannelAdmin.ClientType;
import org.omg.CosNotifyChannelAdmin.EventChannel;
import org.omg.CosNotifyChannelAdmin.EventChannelHelper;
import org.omg.CosNotifyChannelAdmin.StructuredProxyPushConsumer;
import org.omg.CosNotifyChannelAdmin.StructuredProxyPushConsumerHelper;
import org.omg.CosNotifyChannelAdmin.StructuredProxyPushSupplier;
import org.omg.CosNotifyChannelAdmin.StructuredProxyPushSupplierHelper;
import org.omg.CosNotifyComm.StructuredPushConsumerHelper;
import org.omg.CosNotifyComm.StructuredPushConsumerPOA;
import org.omg.CosNotifyFilter.ConstraintExp;
import org.omg.CosNotifyFilter.Filter;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

// A client of notification channels for structured events: MODE CHANNEL COUNT.
//
//   supplier   pushes the events of the numbers from 1 to COUNT
//   push       says "connected", and then "received COUNT" if it gets the even numbers in order, or all numbers of
//              events that came as anys
final class Notification {
  static Property property(ORB orb, String name, int value) {
    Any any = orb.create_any();
    any.insert_long(value);
    return new Property(name, any);
  }

  static StructuredEvent eventOf(ORB orb, int number) {
    Any even = orb.create_any();
    even.insert_boolean(number % 2 == 0);
    Any body = orb.create_any();
    body.insert_long(number);
    return new StructuredEvent(
        new EventHeader(new FixedEventHeader(new EventType("Telecom", "Alarm"), "alarm"), new Property[0]),
        new Property[] {property(orb, "number", number), new Property("even", even)}, body);
  }

  static final class Consumer extends StructuredPushConsumerPOA {
    private final int count;
    private int last;
    private boolean wrong;
    final CountDownLatch ended = new CountDownLatch(1);

    Consumer(int count) {
      this.count = count;
    }
    public synchronized void push_structured_event(StructuredEvent event) {
      boolean asAny = event.header.fixed_header.event_type.type_name.equals("%ANY");
      int number = event.remainder_of_body.extract_long();
      wrong |= number != last + (asAny ? 1 : 2);
      wrong |= !asAny && (!event.header.fixed_header.event_name.equals("alarm") || event.filterable_data.length != 2);
      last = number;
      if (wrong || last == count) ended.countDown();
    }
    public void disconnect_structured_push_consumer() {}
    public void offer_change(EventType[] added, EventType[] removed) {}
    synchronized boolean right() {
      return !wrong && last == count;
    }
  }

  static boolean consume(ORB orb, EventChannel channel, int count) throws Exception {
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    Consumer consumer = new Consumer(count);
    StructuredProxyPushSupplier proxy =
        StructuredProxyPushSupplierHelper.narrow(channel.default_consumer_admin().obtain_notification_push_supplier(
            ClientType.STRUCTURED_EVENT, new IntHolder()));
    Filter filter = channel.default_filter_factory().create_filter("EXTENDED_TCL");
    filter.add_constraints(new ConstraintExp[] {
        new ConstraintExp(new EventType[] {new EventType("Telecom", "*")}, "$even == TRUE"),
        new ConstraintExp(new EventType[] {new EventType("", "%ANY")}, "")});
    proxy.add_filter(filter);
    Any order = orb.create_any();
    order.insert_short(FifoOrder.value);
    proxy.set_qos(new Property[] {new Property(OrderPolicy.value, order)});
    boolean refused = false;
    try {
      proxy.set_qos(new Property[] {property(orb, "Colour", 1)});
    } catch (UnsupportedQoS failure) {
      refused = failure.qos_err.length == 1 && failure.qos_err[0].code == QoSError_code.BAD_PROPERTY;
    }
    proxy.connect_structured_push_consumer(StructuredPushConsumerHelper.narrow(root.servant_to_reference(consumer)));
    System.out.println("connected");
    consumer.ended.await(60, TimeUnit.SECONDS);
    return refused && consumer.right();
  }

  static void supply(ORB orb, EventChannel channel, int count) throws Exception {
    StructuredProxyPushConsumer proxy =
        StructuredProxyPushConsumerHelper.narrow(channel.default_supplier_admin().obtain_notification_push_consumer(
            ClientType.STRUCTURED_EVENT, new IntHolder()));
    proxy.connect_structured_push_supplier(null);
    proxy.offer_change(new EventType[] {new EventType("Telecom", "Alarm")}, new EventType[0]);
    for (int number = 1; number <= count; ++number) proxy.push_structured_event(eventOf(orb, number));
    proxy.disconnect_structured_push_consumer();
  }

  public static void main(String[] words) throws Exception {
    ORB orb = ORB.init(new String[0], null);
    EventChannel channel = EventChannelHelper.narrow(orb.string_to_object(words[1]));
    int count = Integer.parseInt(words[2]);
    boolean right = true;
    if (words[0].equals("supplier")) {
      supply(orb, channel, count);
    } else {
      right = consume(orb, channel, count);
      System.out.println((right ? "received " : "wrong events ") + count);
    }
    System.out.flush();
    System.exit(right ? 0 : 1);
  }
}
