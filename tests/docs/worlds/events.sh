mkdir -p /var/lib/app

# An event service whose channel gets an event every second.
weather() {
  serve events.ior takt events serve --memory --channel weather
  channel=corbaloc::localhost:11169/weather
  suppliers=$(takt call $channel for_suppliers --idl omniEvents.idl --interface omniEvents::EventChannel | tr -d '"')
  proxy=$(takt call "$suppliers" obtain_push_consumer --idl omniEvents.idl | tr -d '"')
  while sleep 0.2; do takt call "$proxy" push '{"type": "string", "value": "rain"}' --idl omniEvents.idl > /dev/null || break; done &
  served="$served $!"
}
