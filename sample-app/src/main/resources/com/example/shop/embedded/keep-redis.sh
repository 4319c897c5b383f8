# Runs a redis-server until standard input ends, which is when the JVM that started this shell closes it or dies.
# Arguments: a folder that is deleted in the end, then the command line of the server.
#
# The server is a daemon in a session of its own, so that a Ctrl-C in the terminal reaches only the shop, which needs it to end in good order.
trap '' HUP INT QUIT TERM
folder=$1
shift

if "$@" --daemonize yes --dir "$folder" --pidfile "$folder/pid" --logfile "$folder/log"; then
  read -r line
fi

if [ -s "$folder/pid" ]; then
  pid=$(cat "$folder/pid")
  kill "$pid"
  for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null
fi
rm -rf "$folder"
