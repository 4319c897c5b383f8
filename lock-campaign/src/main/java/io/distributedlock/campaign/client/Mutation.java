package io.distributedlock.campaign.client;

import io.distributedlock.LockHandle;
import io.distributedlock.spi.LockStore;
import java.util.concurrent.Executor;

/** A change to the protocol that is made around it: at the store underneath, or at the handle on top. */
public interface Mutation {

    /** The protocol as it is. */
    Mutation NONE = new Mutation() {};

    /** @param uri where the store's Redis is reached, for mutants that speak to it themselves */
    default LockStore store(LockStore sound, String uri) {
        return sound;
    }

    /** @param executor the application's, on which its callbacks run */
    default LockHandle handle(LockHandle sound, Executor executor) {
        return sound;
    }

    /** This change on top of another one. */
    default Mutation over(Mutation below) {
        Mutation above = this;
        return new Mutation() {
            @Override
            public LockStore store(LockStore sound, String uri) {
                return above.store(below.store(sound, uri), uri);
            }

            @Override
            public LockHandle handle(LockHandle sound, Executor executor) {
                return above.handle(below.handle(sound, executor), executor);
            }
        };
    }
}
