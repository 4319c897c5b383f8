# Runs a redis-server until standard input ends, which is when the JVM that started this shell closes it or dies.
# Arguments: a folder with the binary, which is deleted in the end, and a port of the loopback interface.
#
# The server is a daemon in a session of its own: a Ctrl-C in the terminal reaches only the
# application, which needs its Redis to end in good order.
trap '' HUP INT QUIT TERM
folder=$1
port=$2

"$folder/redis-server" --port "$port" --bind 127.0.0.1 --save '' --appendonly no --dir "$folder" \
  --daemonize yes --pidfile "$folder/pid" --logfile "$folder/log" && read -r line

if [ -s "$folder/pid" ]; then
  pid=$(cat "$folder/pid")
  kill "$pid"
  for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null
elif [ -f "$folder/log" ]; then
  tail -n 5 "$folder/log"
fi
rm -rf "$folder"
