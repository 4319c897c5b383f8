package io.distributedlock.simulation;

import io.distributedlock.simulation.Step.Disturbance;
import io.distributedlock.simulation.network.ServerHost;
import java.time.Duration;
import java.util.List;

/** Lets things fail, and takes note of what that excuses. */
final class Disturbances {

    private final ServerHost host;
    private final List<Client> clients;
    private final Promises promises;
    private final RunHistory history;
    private long count;

    Disturbances(ServerHost host, List<Client> clients, Promises promises, RunHistory history) {
        this.host = host;
        this.clients = clients;
        this.promises = promises;
        this.history = history;
    }

    long count() {
        return count;
    }

    void begin(Disturbance step) {
        Client client = clients.get(step.client());
        if (client.process().isEnded()) {
            return;
        }
        count++;
        Duration time = Duration.ofMillis(step.millis());
        switch (step.fault()) {
            case CUT -> client.link().cut();
            case BLOCK -> client.link().block(time);
            case REPLIES_LATE -> client.link().delayReplies(time);
            case REQUESTS_LATE -> client.link().delayRequests(time);
            case STALL -> host.stall(time);
            case RESTART -> host.restart(false, time);
            case RESTART_EMPTY -> {
                host.restart(true, time);
                promises.dataIsLost();
            }
            case REPLICATION_STOPS -> host.stopReplication();
            case FAILOVER -> {
                host.failOver(time);
                promises.dataIsLost();
            }
            case CLOCK_FORWARD -> {
                host.setClock(time);
                promises.clockIsSetForward(time);
            }
            case CLOCK_BACK -> {
                host.setClock(time.negated());
                promises.clockIsSetBack(time);
            }
            case PAUSE -> client.pause(time, false);
            case SLEEP -> client.pause(time.plusMillis(1_200), true);
            case KILL -> kill(client);
        }
        history.disturbed(step, client);
    }

    private void kill(Client client) {
        if (clients.stream().filter(each -> !each.process().isEnded()).count() > 1) {
            history.killed(client);
            client.kill();
            promises.forget(client);
        }
    }

    /** Nothing fails any more. */
    void end() {
        clients.forEach(client -> client.link().trouble(0));
    }
}
