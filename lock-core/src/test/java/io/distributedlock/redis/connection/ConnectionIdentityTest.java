package io.distributedlock.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionIdentityTest {

    private final ConnectionIdentity session = new ConnectionIdentity("server");

    @Test
    void aConnectionIsKnownByItsIdAndAddress() {
        session.describedBy("id=5 addr=127.0.0.1:40000 laddr=127.0.0.1:6379 name=\n");
        assertThat(session.id()).isEqualTo("5");
        assertThat(session.clientAddress()).isEqualTo("127.0.0.1:40000");
    }

    @Test
    void theAddressOfAUnixSocketIsThatOfEveryClientAndIsNotUsed() {
        session.describedBy("id=5 addr=/run/redis.sock:0 laddr=/run/redis.sock:0 name=\n");
        assertThat(session.clientAddress()).isNull();
    }
}
