package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.LockConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Explains a failed start that is due to a setting of locks. It comes before the analyzers for what wraps such a
 * failure.
 */
@Order(0)
final class LockConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<LockConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockConfigurationException cause) {
        return new FailureAnalysis(cause.problem() + ".", cause.advice() + ".", cause);
    }
}
