package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DetourTest {

    private static final List<RedisURI> SENTINELS = List.of(at(1), at(2), at(3));

    private final Detour detour = new Detour(new Sessions(Duration.ofSeconds(1)));
    private final SocketAddressResolver resolver = detour.before(new SocketAddressResolver() {
        @Override
        public SocketAddress resolve(RedisURI uri) {
            return InetSocketAddress.createUnresolved(uri.getHost(), uri.getPort());
        }
    });

    private static RedisURI at(int port) {
        return RedisURI.create("redis://127.0.0.1:" + port);
    }

    private int portFor(RedisURI wanted) {
        return ((InetSocketAddress) resolver.resolve(wanted)).getPort();
    }

    private List<Integer> order() {
        return SENTINELS.stream().map(this::portFor).toList();
    }

    @Test
    void whoeverLooksForALostServerGetsToItsSuccessorUntilThatEnds() {
        detour.lead(at(7), at(8));
        assertThat(portFor(at(7))).isEqualTo(8);
        assertThat(portFor(at(9))).isEqualTo(9);
        detour.end(at(7));
        assertThat(portFor(at(7))).isEqualTo(7);
    }

    @Test
    void theServerThatAnswersIsTriedFirstAndAllOthersStillAreTried() {
        detour.beginWith(SENTINELS, at(3));
        assertThat(order()).containsExactly(3, 2, 1);
    }

    /** Who asks by the name of the first one talks to the one that has taken its place. */
    @Test
    void aServerThatAnswersInTheNameOfAnotherIsKnown() {
        detour.beginWith(SENTINELS, at(3));
        detour.beginWith(SENTINELS, at(1));
        assertThat(order()).containsExactly(3, 2, 1);
        detour.beginWith(SENTINELS, at(3));
        assertThat(order()).containsExactly(1, 2, 3);
    }

    @Test
    void inTheEndEverybodyGetsWhereHeWantsToGo() {
        detour.lead(at(7), at(8));
        detour.beginWith(SENTINELS, at(2));
        detour.end();
        assertThat(portFor(at(7))).isEqualTo(7);
        assertThat(order()).containsExactly(1, 2, 3);
    }
}
