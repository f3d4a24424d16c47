copy_examples() { cp -r "$SOURCE/examples" .; }

at_hand() { cp examples/avionics/avionics.toml .; }

# The server runs for a second, with its client.
avionics_server() {
  mkfifo running
  "$BUILD/examples/avionics_server" "$1" "$2" < running > references &
  exec 4> running
  until grep -q END references; do kill -0 $! && sleep 0.05 || return 1; done
  "$BUILD/examples/avionics_client" references 1 && exec 4>&- && wait $!
}

# Two tasks of a robot; and a station whose lock inherits priorities.
models() {
  cat > robot.txt <<'END'
Processing_Resource (Type => Fixed_Priority_Processor, Name => controller);

Scheduling_Server (Type => Fixed_Priority, Name => servo, Server_Processing_Resource => controller,
  Server_Sched_Parameters => (Type => Fixed_Priority_Policy, The_Priority => 20));
Scheduling_Server (Type => Fixed_Priority, Name => plan, Server_Processing_Resource => controller,
  Server_Sched_Parameters => (Type => Fixed_Priority_Policy, The_Priority => 10));

Operation (Type => Simple, Name => move, Worst_Case_Execution_Time => 2000);
Operation (Type => Simple, Name => think, Worst_Case_Execution_Time => 9000);

Transaction (Type => Regular, Name => Servo,
  External_Events => ((Type => Periodic, Name => tick, Period => 5000)),
  Internal_Events => ((Type => Regular, Name => moved,
    Timing_Requirements => (Type => Hard_Global_Deadline, Deadline => 5000, Referenced_Event => tick))),
  Event_Handlers => ((Type => Activity, Input_Event => tick, Output_Event => moved,
    Activity_Operation => move, Activity_Server => servo)));
Transaction (Type => Regular, Name => Plan,
  External_Events => ((Type => Periodic, Name => slow, Period => 50000)),
  Internal_Events => ((Type => Regular, Name => planned,
    Timing_Requirements => (Type => Hard_Global_Deadline, Deadline => 50000, Referenced_Event => slow))),
  Event_Handlers => ((Type => Activity, Input_Event => slow, Output_Event => planned,
    Activity_Operation => think, Activity_Server => plan)));
END
  { cat robot.txt; echo 'Shared_Resource (Type => Priority_Inheritance_Resource, Name => Status);'; } > station.txt
}

configuration_run() { "$BUILD/examples/avionics_server" --configure "$(cat scheduler.ior)"; }
