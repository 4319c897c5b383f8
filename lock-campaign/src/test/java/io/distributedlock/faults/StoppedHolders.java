package io.distributedlock.faults;

import io.distributedlock.LockHandle;
import io.distributedlock.LossReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A process that holds as many locks as its second argument says, at the address in its first. It looks for a line on
 * its standard input without ever sleeping, so after a pause its next step is to ask whether each lock is held.
 */
final class StoppedHolders {

    /** By the clock, or by the answer to a renewal that was on its way when the process was stopped. */
    private static final Set<LossReason> EITHER = Set.of(LossReason.DEADLINE, LossReason.NOT_OWNER);

    private StoppedHolders() {}

    public static void main(String[] arguments) throws IOException {
        try (LossRow row = new LossRow("in a child", EITHER, arguments[0], FaultTest.TTL)) {
            row.hold(Integer.parseInt(arguments[1]), request -> request);
            System.out.println("held");
            while (System.in.available() == 0) {
                Thread.onSpinWait();
            }
            List<LockHandle> believed = new ArrayList<>(row.client.held());
            int held = believed.size();
            believed.removeIf(lock -> !lock.isHeld());
            System.out.println("asked, " + believed.size() + " of " + held + " believe that they are held");
            row.assertEachIsToldOnce();
            System.out.println("told " + row.injections());
        }
    }
}
