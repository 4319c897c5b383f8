package io.distributedlock.benchmarks.annotation;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.call.DistributedLockAdvisor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * The same method under the same lock, by the template and by the annotation with a key of one argument. The thread
 * runs under that lock already, so that the calls are covered by it: what is left is the way to the lock, without the
 * noise of taking it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AnnotatedCall {

    private static final int CALLS = 100_000;

    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();
    private final LockTemplate template = new LockTemplate(client);
    private final Orders plain = new Orders();
    private final Orders locked = proxied(plain, template);

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int template() {
        return covered(order -> template.execute(LockRequest.of("order", "ann"), lock -> plain.place("ann", order)));
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int annotation() {
        return covered(order -> locked.place("ann", order));
    }

    private int covered(IntUnaryOperator call) {
        return template.execute(LockRequest.of("order", "ann"), lock -> {
            int sum = 0;
            for (int order = 0; order < CALLS; order++) {
                sum += call.applyAsInt(order);
            }
            return sum;
        });
    }

    private static Orders proxied(Orders orders, LockTemplate template) {
        ProxyFactory proxies = new ProxyFactory(orders);
        proxies.setProxyTargetClass(true);
        proxies.addAdvisor(new DistributedLockAdvisor(new DefaultListableBeanFactory(), () -> template));
        return (Orders) proxies.getProxy();
    }

    @TearDown
    public void close() {
        client.close();
    }

    /** Has to be open for its proxy. */
    public static class Orders {

        @DistributedLock(name = "order", key = "#user")
        public int place(String user, int order) {
            return user.length() + order;
        }
    }
}
