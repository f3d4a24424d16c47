import java.util.ArrayList;
import java.util.List;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CosTrading.FollowOption;
import org.omg.CosTrading.IllegalConstraint;
import org.omg.CosTrading.Link;
import org.omg.CosTrading.Lookup;
import org.omg.CosTrading.LookupHelper;
import org.omg.CosTrading.LookupPOA;
import org.omg.CosTrading.LookupPackage.HowManyProps;
import org.omg.CosTrading.LookupPackage.SpecifiedProps;
import org.omg.CosTrading.MissingMandatoryProperty;
import org.omg.CosTrading.Offer;
import org.omg.CosTrading.OfferIterator;
import org.omg.CosTrading.OfferIteratorHolder;
import org.omg.CosTrading.OfferSeqHolder;
import org.omg.CosTrading.Policy;
import org.omg.CosTrading.PolicyNameSeqHolder;
import org.omg.CosTrading.Property;
import org.omg.CosTrading.Proxy;
import org.omg.CosTrading.Register;
import org.omg.CosTrading.RegisterPackage.OfferInfo;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

// A client of a trader, and a trader that has one offer:
//
//   client LOOKUP   exports printers, asks for them and changes them; says what it has found
//   trader          says the reference of its Lookup, which finds the offer "far" if it is asked for pages above 5
final class Trading {
  static Any text(ORB orb, String value) {
    Any any = orb.create_any();
    any.insert_string(value);
    return any;
  }

  static Any number(ORB orb, int value) {
    Any any = orb.create_any();
    any.insert_long(value);
    return any;
  }

  static Any count(ORB orb, int value) {
    Any any = orb.create_any();
    any.insert_ulong(value);
    return any;
  }

  static Property[] printer(ORB orb, String id, int pages) {
    return new Property[] {new Property("id", text(orb, id)), new Property("pages", number(orb, pages))};
  }

  static void addIds(List<String> ids, Offer[] offers) {
    for (Offer each : offers)
      for (Property property : each.properties)
        if (property.name.equals("id")) ids.add(property.value.extract_string());
  }

  static String found(ORB orb, Lookup lookup, String constraint, String preference, int first) throws Exception {
    SpecifiedProps wanted = new SpecifiedProps();
    wanted.prop_names(new String[] {"id"});
    OfferSeqHolder offers = new OfferSeqHolder();
    OfferIteratorHolder rest = new OfferIteratorHolder();
    PolicyNameSeqHolder limits = new PolicyNameSeqHolder();
    Policy[] policies = {new Policy("return_card", count(orb, 3))};
    lookup.query("Printer", constraint, preference, policies, wanted, first, offers, rest, limits);
    List<String> ids = new ArrayList<>();
    addIds(ids, offers.value);
    OfferIterator more = rest.value;
    if (more != null) {
      ids.add("and " + more.max_left() + " more:");
      OfferSeqHolder next = new OfferSeqHolder();
      while (more.next_n(1, next)) addIds(ids, next.value);
      addIds(ids, next.value);
      more.destroy();
    }
    for (String each : limits.value) ids.add("limited by " + each);
    return "found " + String.join(" ", ids);
  }

  static void use(ORB orb, Lookup lookup) throws Exception {
    Register register = lookup.register_if();
    String first = register.export(lookup, "Printer", printer(orb, "p1", 10));
    String second = register.export(lookup, "Printer", printer(orb, "p2", 20));
    register.export(lookup, "Printer", printer(orb, "p3", 30));
    register.export(lookup, "Printer", printer(orb, "p4", 40));
    System.out.println(found(orb, lookup, "pages > 10 and pages < 40", "max pages", 10));
    System.out.println(found(orb, lookup, "", "min pages", 1));
    OfferInfo info = register.describe(first);
    System.out.println("described " + info.type + " with " + info.properties.length);
    register.modify(second, new String[0], new Property[] {new Property("pages", number(orb, 50))});
    System.out.println(found(orb, lookup, "pages == 50", "", 10));
    register.withdraw(first);
    register.withdraw_using_constraint("Printer", "pages >= 40");
    System.out.println(found(orb, lookup, "", "first", 10));
    try {
      found(orb, lookup, "pages >", "", 1);
    } catch (IllegalConstraint refused) {
      System.out.println("illegal: " + refused.constr);
    }
    try {
      register.export(lookup, "Printer", new Property[0]);
    } catch (MissingMandatoryProperty refused) {
      System.out.println("missing: " + refused.type + " " + refused.name);
    }
    Link link = lookup.link_if();
    link.add_link("circle", lookup, FollowOption.if_no_local, FollowOption.always);
    System.out.println("link " + String.join(" ", link.list_links()) + " passes on "
        + link.describe_link("circle").def_pass_on_follow_rule.value());
    link.remove_link("circle");
    Proxy proxy = lookup.proxy_if();
    String id = proxy.export_proxy(lookup, "Printer", printer(orb, "proxy", 1), false, "pages == 30", new Policy[0]);
    System.out.println("proxy with " + proxy.describe_proxy(id).recipe);
    proxy.withdraw_proxy(id);
  }

  // Only what a trader needs to which another has a link.
  static final class OneOffer extends LookupPOA {
    private final ORB orb;

    OneOffer(ORB orb) {
      this.orb = orb;
    }

    @Override
    public void query(String type, String constraint, String preference, Policy[] policies, SpecifiedProps wanted, int howMany,
        OfferSeqHolder offers, OfferIteratorHolder rest, PolicyNameSeqHolder limits) {
      boolean finds = type.equals("Printer") && constraint.equals("pages > 5");
      boolean all = wanted.discriminator().equals(HowManyProps.all);
      Property[] properties = all ? printer(orb, "far", 7) : new Property[] {new Property("id", text(orb, "far"))};
      offers.value = finds ? new Offer[] {new Offer(_this_object(), properties)} : new Offer[0];
      limits.value = new String[0];
    }

    @Override public Lookup lookup_if() { return _this(); }
    @Override public Register register_if() { return null; }
    @Override public Link link_if() { return null; }
    @Override public Proxy proxy_if() { return null; }
    @Override public org.omg.CosTrading.Admin admin_if() { return null; }
    @Override public boolean supports_modifiable_properties() { return false; }
    @Override public boolean supports_dynamic_properties() { return false; }
    @Override public boolean supports_proxy_offers() { return false; }
    @Override public org.omg.CORBA.Object type_repos() { return null; }
    @Override public int def_search_card() { return 1; }
    @Override public int max_search_card() { return 1; }
    @Override public int def_match_card() { return 1; }
    @Override public int max_match_card() { return 1; }
    @Override public int def_return_card() { return 1; }
    @Override public int max_return_card() { return 1; }
    @Override public int max_list() { return 1; }
    @Override public int def_hop_count() { return 0; }
    @Override public int max_hop_count() { return 0; }
    @Override public FollowOption def_follow_policy() { return FollowOption.local_only; }
    @Override public FollowOption max_follow_policy() { return FollowOption.local_only; }
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(new String[0], null);
    if (arguments[0].equals("client")) {
      use(orb, LookupHelper.narrow(orb.string_to_object(arguments[1])));
      orb.shutdown(true);
      return;
    }
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    System.out.println(orb.object_to_string(root.servant_to_reference(new OneOffer(orb))));
    System.out.flush();
    orb.run();
  }
}
