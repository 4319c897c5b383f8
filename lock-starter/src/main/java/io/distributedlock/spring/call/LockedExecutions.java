package io.distributedlock.spring.call;

import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.reactive.ReactiveLockTemplate;
import io.distributedlock.spring.metadata.LockOperation;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.function.SingletonSupplier;

/** The way to make a call, by what the method returns. */
final class LockedExecutions implements LockedExecution {

    /** Where an application with Spring Boot runs its asynchronous work. */
    private static final String TASK_EXECUTOR = "applicationTaskExecutor";

    private final LockedExecution values;
    private final LockedExecution stages;
    private final Supplier<LockedExecution> publishers;

    /** @param beans is asked for what only some methods need, at their first call */
    LockedExecutions(Supplier<LockTemplate> template, BeanFactory beans) {
        this.values = new ValueExecution(template);
        this.stages = new StageExecution(template, SingletonSupplier.of(() -> executor(beans)));
        this.publishers = SingletonSupplier.of(() -> publishers(beans));
    }

    @Override
    public @Nullable Object run(LockOperation operation, LockRequest request, MethodInvocation invocation)
            throws Throwable {
        return switch (operation.method().result()) {
            case VALUE, AWAITED -> values.run(operation, request, invocation);
            case STAGE -> stages.run(operation, request, invocation);
            case SINGLE, STREAM -> publishers.get().run(operation, request, invocation);
        };
    }

    private static Executor executor(BeanFactory beans) {
        return beans.containsBean(TASK_EXECUTOR)
                ? beans.getBean(TASK_EXECUTOR, Executor.class)
                : ForkJoinPool.commonPool();
    }

    private static LockedExecution publishers(BeanFactory beans) {
        return new PublisherExecution(SingletonSupplier.of(() -> beans.getBean(ReactiveLockTemplate.class)));
    }
}
