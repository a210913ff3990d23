/**
 * The shell program between a server and its owner, the process that started it. It reads calls of its own functions from
 * standard input and answers each with one line. End of file means that the owner has ended: the kernel closes the pipe even
 * after SIGKILL. Then the guard stops the server and removes its directory.
 *
 * Arguments: directory, signal that stops the server (without `SIG`), timeout in tenths of a second before SIGKILL.
 *
 * - A stopped (SIGSTOP) server is continued first, because otherwise it would never get the signal.
 * - Zombies: a shell reaps its children while it waits for `sleep`, so `kill -0` is reliable here.
 * - If `setpriv` supports parent death signals, the server also dies when the guard itself is killed.
 * - PIPE is ignored, because the answer to an owner that died in the meantime would end the shell before its clean-up.
 */
export const GUARD_SCRIPT = `
dir=$1 sig=$2 timeout=$3 pid= belt=
if setpriv --pdeathsig KILL true; then belt="setpriv --pdeathsig $sig"; fi 2>/dev/null
stop() {
  [ -n "$pid" ] || return 0
  kill -s CONT "$pid"
  kill -s "$1" "$pid"
  left=$timeout
  while [ "$1" != KILL ] && kill -0 "$pid"; do
    [ "$left" -gt 0 ] || { kill -s KILL "$pid"; break; }
    sleep 0.1
    left=$((left - 1))
  done
  wait "$pid"
  pid=
} 2>/dev/null
prepare() { "$@" </dev/null >>"$dir/log" 2>&1; echo "$?"; }
start() {
  [ -z "$pid" ] || wait "$pid"
  $belt "$@" </dev/null >>"$dir/log" 2>&1 &
  pid=$!
  echo "$pid"
}
halt() { stop "$1"; echo halted; }
trap '' PIPE
trap exit HUP INT TERM
trap 'stop "$sig"; rm -rf "$dir"' EXIT
while IFS= read -r call; do eval "$call"; done
`;
