package io.distributedlock.benchmarks.startup;

import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An application that is started. */
enum Subject {
    /** As {@code spring-boot:run} starts it, which has the JVM use its quick compiler alone. */
    SAMPLE("the sample") {
        @Override
        ChildJvm process(String port, String locks) {
            return sample(List.of("-XX:TieredStopAtLevel=1", ANY_PORT, SWITCH + locks), port, locks);
        }
    },
    PRODUCTION("the sample as in production") {
        @Override
        ChildJvm process(String port, String locks) {
            return sample(List.of(ANY_PORT, SWITCH + locks), port, locks);
        }
    },
    SMALL("a small application") {
        @Override
        ChildJvm process(String port, String locks) {
            return ChildJvm.start(List.of(SWITCH + locks), StartingProcess.class, port, locks);
        }
    };

    private static final String ANY_PORT = "-Dserver.port=0";

    private static final String SWITCH = "-Ddistributed-lock.enabled=";

    private static final String SAMPLE_CLASS_PATH = "sample.class-path";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final String title;

    Subject(String title) {
        this.title = title;
    }

    abstract ChildJvm process(String port, String locks);

    private static ChildJvm sample(List<String> options, String port, String locks) {
        return ChildJvm.start(sampleClassPath(), options, StartingSample.class, port, locks);
    }

    ChildJvm start(RedisServer redis, boolean locks) {
        return process(String.valueOf(redis.port()), String.valueOf(locks));
    }

    static Start end(ChildJvm starting) {
        return Start.parse(starting.awaitLine(line -> line.matches("\\d+ \\d+"), PATIENCE));
    }

    /**
     * What the sample runs with, and of this program its main class alone: other libraries of locks would configure
     * themselves in it.
     */
    private static String sampleClassPath() {
        String sample = System.getProperty(SAMPLE_CLASS_PATH);
        if (sample == null) {
            throw new IllegalStateException("The sample's class path is not known: run this program by benchmarks/run");
        }
        try {
            Path own = Path.of(StartingSample.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return sample + File.pathSeparator + own;
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return title;
    }
}
