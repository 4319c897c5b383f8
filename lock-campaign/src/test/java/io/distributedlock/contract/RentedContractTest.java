package io.distributedlock.contract;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.LockStoreContract;
import io.distributedlock.test.store.SharedLockContract;
import io.distributedlock.testkit.provider.ProviderRelay;
import io.distributedlock.testkit.provider.RentedServer;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract behind the rules of each provider, as far as locks are granted there. */
@Tag("long")
@ParameterizedClass
@EnumSource(
        names = {"NO_SCRIPTS", "NO_RIGHT_TO_SCRIPTS"},
        mode = EnumSource.Mode.EXCLUDE)
class RentedContractTest extends LockStoreContract implements SharedLockContract {

    private static RedisServer server;
    private static ProviderRelay relay;
    private static RedisLockStore store;

    @Parameter
    private RentedServer rented;

    @BeforeParameterizedClassInvocation
    static void start(RentedServer rented) {
        server = RedisServer.start();
        relay = ProviderRelay.to(server.port(), rented.profile());
        store = RedisLockStore.of(RedisURI.create(relay.uri()));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        store.close();
        relay.close();
        server.close();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    protected boolean hasTokens() {
        return rented.runsScripts();
    }

    /** Where there are no scripts, {@code ProviderProfilesTest} shows that shares are refused. */
    @BeforeEach
    void sharesNeedScripts(TestInfo test) {
        boolean shared = test.getTestMethod().orElseThrow().getDeclaringClass() == SharedLockContract.class;
        assumeThat(rented.runsScripts() || !shared).isTrue();
    }
}
