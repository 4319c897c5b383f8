package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.spring.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class ProxyCreationTests {

    private final ApplicationContextRunner runner = Contexts.withMemory().withBean(Tills.class);

    public interface Till {
        int open(String id);
    }

    public static class Tills implements Till {
        @Override
        @DistributedLock(key = "#id")
        public int open(String id) {
            return LockContext.current().size();
        }
    }

    @Test
    void methodsAreLockedWithoutBootsAopSupport() {
        runner.run(context -> {
            assertThat(context.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME))
                    .isExactlyInstanceOf(InfrastructureAdvisorAutoProxyCreator.class);
            assertThat(context.getBean(Tills.class).open("1")).isOne();
        });
    }

    @Test
    void methodsAreLockedWhereBootsAopSupportIsSwitchedOff() {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withPropertyValues("spring.aop.auto=false")
                .run(context ->
                        assertThat(context.getBean(Tills.class).open("1")).isOne());
    }

    @Test
    void methodsAreLockedWithoutAspectJ() {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.aspectj"))
                .run(context ->
                        assertThat(context.getBean(Tills.class).open("1")).isOne());
    }

    @Test
    void classProxiesAreTheDefaultAndInterfaceProxiesAChoice() {
        runner.run(context ->
                assertThat(AopUtils.isCglibProxy(context.getBean(Till.class))).isTrue());
        runner.withPropertyValues("spring.aop.proxy-target-class=false").run(context -> {
            Till till = context.getBean(Till.class);
            assertThat(AopUtils.isJdkDynamicProxy(till)).isTrue();
            assertThat(till.open("1")).isOne();
        });
    }

    @Test
    void noBeanIsCreatedTooEarlyForItsPostProcessors(CapturedOutput output) {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class))
                .withPropertyValues("distributed-lock.store=redis")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
    }

    @Test
    void aBeanThatNoProxyCouldBeMadeForIsNamedInTheLog(CapturedOutput output) {
        runner.withInitializer(context -> context.getBeanFactory().registerSingleton("handMade", new Tills()))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("@DistributedLock has no effect in the bean 'handMade': " + Tills.class.getName())
                .doesNotContain("no effect in the bean 'io.");
    }

    static class EarliestUser implements BeanFactoryPostProcessor {
        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
            beans.getBean(Till.class);
        }
    }

    @Test
    void aBeanThatIsNeededBeforeProxiesCanBeMadeIsNamedInTheLog(CapturedOutput output) {
        runner.withBean(EarliestUser.class)
                .run(context ->
                        assertThat(context.getBean(Tills.class).open("1")).isZero());
        assertThat(output).contains("@DistributedLock has no effect in the bean '");
    }

    record EarlyUser(Till till) implements BeanPostProcessor {}

    @Test
    void aBeanThatIsItselfCreatedEarlyDoesNotDrawOurBeansAlong(CapturedOutput output) {
        runner.withBean(EarlyUser.class).run(context -> {
            assertThat(context.getBean(EarlyUser.class).till().open("1")).isOne();
            assertThat(context).hasSingleBean(LockClient.class);
        });
        assertThat(output.toString()
                        .lines()
                        .filter(line -> line.contains("is not eligible for getting processed by all")))
                .isNotEmpty()
                .noneMatch(line -> line.contains("Bean 'distributedLock"));
    }
}
