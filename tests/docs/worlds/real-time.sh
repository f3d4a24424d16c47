own_programs

# The server of the lanes runs them at different priorities of the system, if this user may have such priorities.
lanes_precede_each_other() {
  chrt -f 40 true || return 0
  for try in $(seq 100); do
    threads=$(ps -L -o comm,cls,rtprio -p "${served# }")
    awk '$1 == "takt-lane-40" { high = $3 } $1 == "takt-lane-10" { low = $3 } END { exit !(low > 0 && high > low) }' <<< "$threads" &&
      return 0
    sleep 0.1
  done
  echo "$threads"
  return 1
}
