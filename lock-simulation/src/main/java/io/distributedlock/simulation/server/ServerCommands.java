package io.distributedlock.simulation.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The commands about connections, messages, scripts and the server itself. */
final class ServerCommands {

    private final SimulatedRedis server;

    ServerCommands(SimulatedRedis server) {
        this.server = server;
    }

    void addTo(Map<String, Command> commands) {
        commands.put("PING", (session, words) -> new Reply.Status("PONG"));
        commands.put("HELLO", this::hello);
        commands.put("CLIENT", this::client);
        commands.put("INFO", (session, words) -> "# Server\r\nrun_id:" + server.run() + "\r\n");
        commands.put(
                "TIME",
                (session, words) -> List.of(Long.toString(server.seconds()), Long.toString(server.microsOfSecond())));
        commands.put("COMMAND", (session, words) -> described(words));
        commands.put("EVAL", (session, words) -> server.scripts().run(false, words));
        commands.put("EVALSHA", (session, words) -> server.scripts().run(true, words));
        commands.put("SCRIPT", (session, words) -> server.scripts().load(words[2]));
        commands.put("SUBSCRIBE", this::subscribe);
        commands.put("PUBLISH", (session, words) -> server.publish(words[1], words[2]));
        commands.put("PUBSUB", (session, words) -> listeners(words));
        commands.put("FLUSHALL", (session, words) -> {
            server.keyspace().clear();
            return Reply.OK;
        });
    }

    private Object hello(@Nullable Session session, String[] words) {
        if (session != null && words.length > 1) {
            session.speak(words[1].equals("3"));
        }
        long id = session == null ? 0 : session.id();
        return new Reply.Fields(List.of(
                "server",
                server.kind().server(),
                "version",
                server.kind().version(),
                "proto",
                session != null && session.isResp3() ? 3L : 2L,
                "id",
                id,
                "mode",
                "standalone",
                "role",
                "master",
                "modules",
                List.of()));
    }

    private Object client(@Nullable Session session, String[] words) {
        String verb = words[1].toUpperCase(Locale.ROOT);
        if (verb.equals("INFO") && session != null) {
            return "id=" + session.id() + " addr=" + session.address() + " name=\n";
        }
        if (verb.equals("KILL")) {
            Session victim = server.session(Long.parseLong(words[3]));
            boolean found = victim != null && victim.address().equals(words[5]);
            if (victim != null && found) {
                victim.close();
            }
            return found ? 1L : 0L;
        }
        return Reply.OK;
    }

    private Object described(String[] words) {
        List<@Nullable Object> answers = new ArrayList<>();
        for (String name : Arrays.asList(words).subList(2, words.length)) {
            boolean known = server.commands().containsKey(name.toUpperCase(Locale.ROOT));
            answers.add(known ? List.of(name.toLowerCase(Locale.ROOT), -1L) : null);
        }
        return answers;
    }

    private Object subscribe(@Nullable Session session, String[] words) {
        if (session != null) {
            for (String channel : Arrays.asList(words).subList(1, words.length)) {
                session.channels().add(channel);
                long count = session.channels().size();
                session.send(new Reply.Push(List.of("subscribe", channel, count)));
            }
        }
        return SimulatedRedis.NOTHING;
    }

    private Object listeners(String[] words) {
        List<Object> counts = new ArrayList<>();
        for (String channel : Arrays.asList(words).subList(2, words.length)) {
            counts.add(channel);
            counts.add(server.listeners(channel));
        }
        return counts;
    }
}
