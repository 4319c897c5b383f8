package io.distributedlock.campaign.mutant;

import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A process that runs the tests that its arguments name, as {@code package.Class} or {@code package.Class#method}. */
final class NamedTests {

    static final int ALL_PASSED = 0;
    static final int SOME_FAILED = 3;
    static final int NONE_RUN = 4;
    static final String PREFIX = "Failed: ";

    /** The system property with the limit of each test; a test that exceeds it fails. */
    static final String LIMIT = "named-tests.limit";

    private NamedTests() {}

    public static void main(String[] tests) {
        var summary = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(tests).map(NamedTests::selector).toList())
                .configurationParameter("junit.jupiter.execution.timeout.default", System.getProperty(LIMIT, "20 s"))
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .build();
        LauncherFactory.create().execute(request, summary);
        TestExecutionSummary result = summary.getSummary();
        result.printFailuresTo(new PrintWriter(System.out, true));
        result.getFailures()
                .forEach(failure -> System.out.println(
                        PREFIX + failure.getTestIdentifier().getDisplayName() + " " + failure.getException()));
        System.exit(
                result.getTestsFoundCount() == 0
                        ? NONE_RUN
                        : result.getFailures().isEmpty() ? ALL_PASSED : SOME_FAILED);
    }

    /** A method is looked up by its name alone, so one with parameters is found too. */
    private static DiscoverySelector selector(String test) {
        if (!test.contains("#")) {
            return DiscoverySelectors.selectClass(test);
        }
        String method = test.substring(test.indexOf('#') + 1);
        Class<?> type = DiscoverySelectors.selectClass(test.substring(0, test.indexOf('#')))
                .getJavaClass();
        return ReflectionSupport.streamMethods(
                        type, found -> found.getName().equals(method), HierarchyTraversalMode.BOTTOM_UP)
                .findFirst()
                .map(found -> DiscoverySelectors.selectMethod(type, found))
                .orElseThrow(() -> new IllegalArgumentException("There is no test " + test));
    }
}
