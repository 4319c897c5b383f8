package io.distributedlock;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Which types of ours an uncontended acquire and its release enter, as a debugger sees them in a process of its own.
 * Prints the table of the page about the architecture. What a reader has to visit may become less, and not more.
 */
class AcquireTraceTest {

    private static final int MOST_TYPES_OF_AN_ACQUIRE = 58;
    private static final int MOST_LINES_OF_CODE = 6_500;

    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final String LISTENING = "address: ";
    private static final Set<String> STEPS = Set.of("acquire", "release", "end");

    private final Set<String> acquire = new TreeSet<>();
    private final Set<String> release = new TreeSet<>();

    @Test
    void anAcquireOfAFreeLockVisitsNoMoreTypesThanBefore() throws Exception {
        String debugged = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0";
        try (RedisServer server = RedisServer.start();
                ChildJvm child = ChildJvm.start(List.of(debugged), Traced.class, server.uri())) {
            String line = child.nextLine(Duration.ofMinutes(1));
            record(attached(line.substring(line.indexOf(LISTENING) + LISTENING.length())));
        }
        release.removeAll(acquire);
        Set<String> both = new TreeSet<>(acquire);
        both.addAll(release);
        System.out.println("An acquire enters " + acquire.size() + " types:\n" + byPackage(acquire)
                + "\nIts release brings " + release.size() + ":\n" + byPackage(release)
                + "\nBoth have " + linesOfCode(both) + " lines of code");
        assertThat(acquire).hasSizeBetween(20, MOST_TYPES_OF_AN_ACQUIRE);
        assertThat(linesOfCode(both)).isLessThanOrEqualTo(MOST_LINES_OF_CODE);
    }

    private static VirtualMachine attached(String port) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(port);
        return connector.attach(arguments);
    }

    /**
     * Follows the process to its end. It waits at each step of {@link Traced}; methods are noted between two steps
     * only, because that makes every method of the process slow.
     */
    private void record(VirtualMachine machine) throws InterruptedException {
        EventRequestManager requests = machine.eventRequestManager();
        ClassPrepareRequest loaded = requests.createClassPrepareRequest();
        loaded.addClassFilter(Traced.class.getName());
        loaded.enable();
        MethodEntryRequest methods = requests.createMethodEntryRequest();
        methods.addClassFilter("io.distributedlock.*");
        methods.addClassExclusionFilter(AcquireTraceTest.class.getName() + "*");
        methods.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        Set<String> entered = acquire;
        machine.resume();
        while (true) {
            EventSet events = machine.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                    return;
                }
                if (event instanceof ClassPrepareEvent traced) {
                    traced.referenceType().methods().stream()
                            .filter(method -> STEPS.contains(method.name()))
                            .forEach(step -> requests.createBreakpointRequest(step.location())
                                    .enable());
                } else if (event instanceof MethodEntryEvent entry) {
                    entered.add(typeOf(entry.location().declaringType()));
                } else if (event instanceof BreakpointEvent step) {
                    String name = step.location().method().name();
                    entered = name.equals("acquire") ? acquire : release;
                    methods.setEnabled(!name.equals("end"));
                }
            }
            events.resume();
        }
    }

    /** What stands in one file is one type to a reader. */
    private static String typeOf(ReferenceType type) {
        String name = type.name();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static String byPackage(Set<String> types) {
        return types.stream()
                .collect(groupingBy(name -> name.substring(0, name.lastIndexOf('.')), TreeMap::new, joining(" ")))
                .entrySet()
                .stream()
                .map(room -> room.getKey() + ": " + room.getValue().replace(room.getKey() + ".", ""))
                .collect(joining("\n"));
    }

    private static long linesOfCode(Set<String> types) throws IOException {
        long all = 0;
        for (String type : types) {
            try (Stream<String> lines = Files.lines(SOURCES.resolve(type.replace('.', '/') + ".java"))) {
                all += lines.map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("import ") && !line.startsWith("package "))
                        .filter(line -> !line.startsWith("/*") && !line.startsWith("*") && !line.startsWith("//"))
                        .count();
            }
        }
        return all;
    }

    /** Takes a free lock and releases it, once a first lock has opened the connection and brought the scripts. */
    static final class Traced {

        private Traced() {}

        public static void main(String[] server) {
            RedisLockConnection connection =
                    new RedisLockConnection(RedisClientSource.of(RedisURI.create(server[0])), Duration.ofSeconds(20));
            try (LockClient client = LockClient.builder(new RedisLockStore(connection, "lock"))
                    .ttl(Duration.ofMinutes(5))
                    .build()) {
                client.acquire("41").release();
                client.acquire("42").release();
                LockHandle lock = acquire(client);
                release(lock);
                end();
            }
        }

        static LockHandle acquire(LockClient client) {
            return client.acquire("43");
        }

        static void release(LockHandle lock) {
            lock.release();
        }

        static void end() {}
    }
}
