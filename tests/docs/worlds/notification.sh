mkdir -p /var/lib/app
# A notification service whose channel gets an alarm five times a second.
alarms() {
  serve notify.ior takt notify serve --channel alarms
  suppliers=$(takt call corbaloc::localhost:11171/alarms _get_default_supplier_admin --idl CosNotifyChannelAdmin.idl \
    --interface CosNotifyChannelAdmin::EventChannel | tr -d '"')
  proxy=$(takt call "$suppliers" obtain_push_consumer --idl CosNotifyChannelAdmin.idl \
    --interface CosEventChannelAdmin::SupplierAdmin | tr -d '"')
  alarm='{"type": {"kind": "struct", "id": "IDL:Alarm:1.0", "name": "Alarm",
    "members": [{"name": "severity", "type": "long"}]}, "value": {"severity": 5}}'
  while sleep 0.2; do takt call "$proxy" push "$alarm" --idl CosNotifyChannelAdmin.idl > /dev/null || break; done &
  served="$served $!"
}
