package io.distributedlock.campaign.client;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import java.util.function.UnaryOperator;

/** An answer with its grant changed, whether the try was granted or a notification brings the grant later. */
public final class ChangedGrant {

    private ChangedGrant() {}

    public static AcquireResult in(AcquireResult answer, UnaryOperator<Granted> change) {
        if (answer instanceof Granted granted) {
            return change.apply(granted);
        }
        Refused refused = (Refused) answer;
        return new Refused(
                refused.retryAfter(),
                refused.queued(),
                refused.grantNotification().thenApply(news -> news.map(change)));
    }
}
