package io.distributedlock;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.JointExtension;
import io.distributedlock.spi.StoreException;
import java.util.List;

/**
 * Locks that are renewed together, round after round, for as long as that goes well: what is asked of the store is prepared once, and one timer
 * looks at them all.
 *
 * <p>This is the handle of that timer. Whoever plans another look at one of the locks takes it out by putting another timer in this one's place.
 */
final class RenewalGroup implements Timeline.Timer {

    private final Engine engine;
    private final List<Tenure> tenures;
    private final RenewalTerms terms;
    private final JointExtension extension;

    RenewalGroup(Engine engine, List<Tenure> tenures, RenewalTerms terms) {
        this.engine = engine;
        this.tenures = tenures;
        this.terms = terms;
        this.extension = prepared();
    }

    /** A store that throws does so for those whose renewals they are, once they are asked for. */
    private JointExtension prepared() {
        List<Claim> claims = tenures.stream().map(Tenure::claim).toList();
        long token = tenures.stream().mapToLong(Tenure::serverToken).max().orElse(0);
        try {
            return engine.store().prepareExtension(claims, token, terms.ttl());
        } catch (RuntimeException | Error thrown) {
            StoreException failure = StoreCalls.classify(thrown);
            return answers -> {
                throw failure;
            };
        }
    }

    List<Tenure> tenures() {
        return tenures;
    }

    RenewalTerms terms() {
        return terms;
    }

    void ask() {
        new RenewalRound(engine, this).start(extension);
    }

    /**
     * Plans the next look at a lock together with the others, unless it does not depend on the lease alone. Gives whether it did. Its holder may
     * change at any time, so it is looked at twice.
     */
    boolean takesAlong(Tenure tenure, long due) {
        Hold hold = tenure.hold();
        if (hold == null || hold.isLimited() || !terms.lease().renewed()) {
            return false;
        }
        tenure.lookedAtBy(this, due);
        return tenure.belongsTo(hold);
    }

    /** The next round. Whatever fails here, the next look at each of the locks is planned. */
    void due() {
        try {
            engine.suspensions().look();
            proceed();
        } catch (RuntimeException | Error unexpected) {
            tenures.stream()
                    .filter(tenure -> tenure.isLookedAtBy(this))
                    .forEach(tenure -> Watchdog.goOn(tenure, unexpected));
        }
    }

    /** What is left of a group that is not complete any more joins others that are due. */
    private void proceed() {
        List<Tenure> left = tenures.stream()
                .filter(tenure -> tenure.isLookedAtBy(this) && engine.watchdog().mayGoOn(tenure))
                .toList();
        if (left.size() == tenures.size()) {
            ask();
        } else {
            left.forEach(engine.renewal()::ask);
        }
    }

    /** A lock that leaves leaves the others where they are. */
    @Override
    public void cancel() {}
}
