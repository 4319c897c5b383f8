package io.distributedlock.benchmarks.startup;

import io.distributedlock.spring.DistributedLock;
import java.util.List;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The child process: starts a small application that has a command sent to Redis, and says what that took from the
 * first line of {@code main} on. Its arguments are the port of Redis, and whether locks are switched on.
 */
final class StartingProcess {

    private StartingProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        StartWatch watch = new StartWatch(context -> {});
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .listeners(watch)
                .properties(Map.of("spring.data.redis.port", arguments[0], "distributed-lock.enabled", arguments[1]))
                .run()) {
            context.getBean(StringRedisTemplate.class).hasKey("nothing");
            System.out.println(watch.sinceBegin());
            StartWatch.awaitEnd();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({AopAutoConfiguration.class, DataRedisAutoConfiguration.class})
    @Import({Starter.class, Orders.class, Stock.class})
    static class Application {

        /** An application without any proxy is rare, and the first one takes more time than the others. */
        @Bean
        static Advisor anotherAdvice() {
            NameMatchMethodPointcutAdvisor advisor =
                    new NameMatchMethodPointcutAdvisor((MethodInterceptor) MethodInvocation::proceed);
            advisor.addMethodName("count");
            return advisor;
        }
    }

    /** Has to be open for its proxy. */
    static class Stock {

        public int count(String item) {
            return item.length();
        }
    }

    /**
     * The starter's auto-configurations and no other library's, sorted and filtered as in every application with Spring
     * Boot.
     */
    static final class Starter extends AutoConfigurationImportSelector {
        @Override
        protected AnnotationAttributes getAttributes(AnnotationMetadata importing) {
            return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
        }

        @Override
        protected List<String> getCandidateConfigurations(
                AnnotationMetadata importing, @Nullable AnnotationAttributes attributes) {
            return super.getCandidateConfigurations(importing, attributes).stream()
                    .filter(name -> name.startsWith("io.distributedlock."))
                    .toList();
        }
    }

    /** Has to be open for its proxy. */
    static class Orders {

        @DistributedLock(key = "#user")
        public String place(String user) {
            return user;
        }
    }
}
