#!/usr/bin/env bash
# Start, stop and ask after the server in the background: start_server.sh start|stop|status|restart
# The process id and the log stand in DATA_DIR (server.pid, server.log). Settings come from .env and the environment.
set -euo pipefail
cd "$(dirname "$0")/.."

python=.venv/bin/python
[ -x "$python" ] || python=$(command -v python3)

# One line each: data folder, host, port; the same settings the server reads.
read_settings() {
  "$python" - <<'END'
import sys

from config import get_settings

try:
    settings = get_settings()
except ValueError as error:
    sys.exit(str(error))
print(settings.data_path, settings.host, settings.port, sep="\n")
END
}
if ! settings=$(read_settings 2>/dev/null); then
  read_settings || true
  echo "The settings cannot be read (see above). Mend .env or the environment; run 'make run' once if packages are missing." >&2
  exit 2
fi
{ read -r data; read -r host; read -r port; } <<<"$settings"
pid_file=$data/server.pid
log_file=$data/server.log
[ "$host" = 0.0.0.0 ] && address=127.0.0.1 || address=$host
url=http://$address:$port

# After a crash or a restart of the machine the number may belong to somebody else's process.
running() { [ -f "$pid_file" ] && [[ "$(ps -p "$(cat "$pid_file")" -o args= 2>/dev/null)" == *main.py ]]; }
healthy() { "$python" -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1], timeout=2).close()' "$url/health" 2>/dev/null; }

start() {
  if running; then
    echo "already running: $url (process $(cat "$pid_file"))"
    return 0
  fi
  if healthy; then
    echo "port $port is taken by another server; stop it or set PORT" >&2
    return 1
  fi
  mkdir -p "$data"
  nohup "$python" main.py >>"$log_file" 2>&1 </dev/null &
  echo $! >"$pid_file"
  for _ in $(seq 120); do
    healthy && { echo "started: $url (process $(cat "$pid_file"))"; return 0; }
    running || break
    sleep 0.5
  done
  echo "the server did not start; the last lines of $log_file:" >&2
  tail -n 15 "$log_file" >&2
  stop >/dev/null || true
  return 1
}

stop() {
  if ! running; then
    rm -f "$pid_file"
    echo "not running"
    return 0
  fi
  pid=$(cat "$pid_file")
  kill -TERM "$pid"
  for _ in $(seq 60); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.5
  done
  kill -0 "$pid" 2>/dev/null && kill -KILL "$pid"
  rm -f "$pid_file"
  echo "stopped"
}

status() {
  if running && healthy; then
    echo "running: $url (process $(cat "$pid_file"))"
  elif running; then
    echo "process $(cat "$pid_file") runs but does not answer at $url" >&2
    return 1
  else
    echo "not running"
    return 3
  fi
}

case "${1:-}" in
  start) start ;;
  stop) stop ;;
  status) status ;;
  restart) stop && start ;;
  *) echo "usage: $0 start|stop|status|restart" >&2; exit 2 ;;
esac
