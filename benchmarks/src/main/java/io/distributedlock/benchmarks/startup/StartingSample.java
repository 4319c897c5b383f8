package io.distributedlock.benchmarks.startup;

import io.distributedlock.LockClient;
import io.distributedlock.LockTemplate;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.objenesis.ObjenesisStd;

/**
 * The child process: starts the sample, and says in milliseconds how long that took from the first line of {@code main} on, and what it cost of the
 * processors' time. Its arguments are the port of Redis, and whether locks are switched on.
 */
final class StartingSample {

    private static final String SAMPLE = "com.example.shop.ShopApplication";

    private StartingSample() {}

    public static void main(String[] arguments) throws ClassNotFoundException {
        long begin = System.nanoTime();
        SpringApplication sample = new SpringApplication(Class.forName(SAMPLE));
        sample.setBannerMode(Banner.Mode.OFF);
        sample.setDefaultProperties(Map.of(
                "server.port", "0",
                "spring.data.redis.port", arguments[0],
                "distributed-lock.enabled", arguments[1]));
        if (!Boolean.parseBoolean(arguments[1])) {
            sample.addInitializers(StartingSample::fillIn);
        }
        sample.run();
        Duration wall = Duration.ofNanos(System.nanoTime() - begin);
        Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        System.out.println(wall.toMillis() + " " + cpu.toMillis());
        System.exit(0);
    }

    /** What the shop's constructors want is there, but nothing is behind it, and nobody calls it. */
    private static void fillIn(ConfigurableApplicationContext context) {
        ObjenesisStd maker = new ObjenesisStd();
        GenericApplicationContext beans = (GenericApplicationContext) context;
        beans.registerBean(
                LockClient.class, () -> maker.newInstance(LockClient.class), bean -> bean.setDestroyMethodName(""));
        beans.registerBean(LockTemplate.class, () -> maker.newInstance(LockTemplate.class));
    }
}
