package io.distributedlock.benchmarks.startup;

import io.distributedlock.LockClient;
import io.distributedlock.LockTemplate;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.objenesis.ObjenesisStd;

/**
 * The child process: starts the sample, and says what that took from the first line of {@code main} on. Its arguments
 * are the port of Redis, and whether locks are switched on.
 */
final class StartingSample {

    private static final String SAMPLE = "com.example.shop.ShopApplication";

    private StartingSample() {}

    public static void main(String[] arguments) throws Exception {
        boolean locks = Boolean.parseBoolean(arguments[1]);
        StartWatch watch = new StartWatch(locks ? context -> {} : StartingSample::fillIn);
        SpringApplication sample = new SpringApplication(Class.forName(SAMPLE));
        sample.setBannerMode(Banner.Mode.OFF);
        sample.setDefaultProperties(Map.of(
                "spring.data.redis.port", arguments[0],
                "distributed-lock.enabled", arguments[1]));
        sample.addListeners(watch);
        sample.run();
        System.out.println(watch.sinceBegin());
        StartWatch.awaitEnd();
    }

    /** What the shop's constructors want is there, but nothing is behind it, and nothing calls it. */
    private static void fillIn(ConfigurableApplicationContext context) {
        ObjenesisStd maker = new ObjenesisStd();
        GenericApplicationContext beans = (GenericApplicationContext) context;
        beans.registerBean(
                LockClient.class, () -> maker.newInstance(LockClient.class), bean -> bean.setDestroyMethodName(""));
        beans.registerBean(LockTemplate.class, () -> maker.newInstance(LockTemplate.class));
    }
}
