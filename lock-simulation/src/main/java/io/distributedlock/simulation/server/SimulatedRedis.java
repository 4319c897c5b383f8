package io.distributedlock.simulation.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A Redis or Valkey. All of it happens on the thread that calls. */
public final class SimulatedRedis {

    /** In place of an answer that was sent already. */
    static final Object NOTHING = new Object();

    private static final long MICROS = 1_000_000;

    private final Map<Long, Session> sessions = new LinkedHashMap<>();
    private final Map<String, Command> commands = new HashMap<>();
    private final ServerKind kind;
    private final LongSupplier micros;
    private final Scripts scripts;
    private Keyspace keyspace;
    private long lastSession;
    private long runs = 1;

    /** @param micros its clock, in microseconds since 1970 */
    public SimulatedRedis(ServerKind kind, LongSupplier micros) {
        this.kind = kind;
        this.micros = micros;
        this.keyspace = new Keyspace(this::millis);
        this.scripts = new Scripts(this::callFromScript);
        new KeyCommands(() -> keyspace, this::millis, kind.comparesInSet()).addTo(commands);
        new SortedSetCommands(() -> keyspace).addTo(commands);
        new ServerCommands(this).addTo(commands);
        commands.keySet().removeIf(name -> !kind.knows(name));
    }

    public long millis() {
        return micros.getAsLong() / 1000;
    }

    long seconds() {
        return micros.getAsLong() / MICROS;
    }

    long microsOfSecond() {
        return micros.getAsLong() % MICROS;
    }

    ServerKind kind() {
        return kind;
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    Scripts scripts() {
        return scripts;
    }

    /** How many scripts have run. */
    public long scriptCalls() {
        return scripts.calls();
    }

    Map<String, Command> commands() {
        return commands;
    }

    String run() {
        return "%040d".formatted(runs);
    }

    /** @param wire takes what is sent to the client */
    public Session open(String address, Consumer<byte[]> wire) {
        Session session = new Session(this, ++lastSession, address, wire);
        sessions.put(session.id(), session);
        return session;
    }

    void closed(Session session) {
        sessions.remove(session.id());
    }

    @Nullable
    Session session(long id) {
        return sessions.get(id);
    }

    @Nullable
    Object execute(Session session, String[] words) {
        Command command = commands.get(words[0].toUpperCase(Locale.ROOT));
        if (command == null) {
            return new Reply.Failure("ERR unknown command '" + words[0] + "'");
        }
        try {
            return command.run(session, words);
        } catch (Refusal refusal) {
            return new Reply.Failure(refusal.text());
        }
    }

    private @Nullable Object callFromScript(String[] words) {
        if (words.length == 0) {
            throw new Refusal("ERR Please specify at least one argument for this redis.call() call");
        }
        Command command = commands.get(words[0].toUpperCase(Locale.ROOT));
        if (command == null) {
            throw new Refusal("ERR Unknown Redis command called from script");
        }
        return command.run(null, words);
    }

    long listeners(String channel) {
        return sessions.values().stream()
                .filter(each -> each.channels().contains(channel))
                .count();
    }

    long publish(String channel, String message) {
        List<Session> listening = sessions.values().stream()
                .filter(each -> each.channels().contains(channel))
                .toList();
        listening.forEach(each -> each.send(new Reply.Push(List.of("message", channel, message))));
        return listening.size();
    }

    /** What a replica has that has received all of it. */
    public Keyspace replica() {
        return keyspace.copy();
    }

    /** Another server with this data takes its place: no connection and no script is known to it. */
    public void replaceBy(Keyspace data) {
        begin();
        keyspace = data;
    }

    /** It is started again, without its data. */
    public void restartEmpty() {
        begin();
        keyspace.clear();
    }

    /** It is started again, with its data. */
    public void restart() {
        begin();
    }

    private void begin() {
        runs++;
        scripts.forget();
        new ArrayList<>(sessions.values()).forEach(Session::close);
    }
}
