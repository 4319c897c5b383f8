package io.distributedlock.simulation;

import io.distributedlock.simulation.Step.Call;
import io.distributedlock.simulation.Step.Disturbance;
import io.distributedlock.simulation.Step.Fault;
import io.distributedlock.simulation.Step.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A run before it begins: what is wanted and what fails, when. The rest, such as how long each message is on its way,
 * follows from the seed, too.
 */
record Plan(long seed, Setting setting, List<Step> steps) {

    private static final int CALLS = Integer.getInteger("simulation.calls", 3_000);
    private static final int CALLS_IF_CROWDED_AND_REPLAYED = 200;
    private static final int REPLAYED = 16;
    private static final Fault[] COMMON = {Fault.CUT, Fault.CUT, Fault.BLOCK, Fault.REPLIES_LATE, Fault.REQUESTS_LATE};
    private static final Fault[] RARE = Fault.values();

    static Plan drawn(long seed) {
        Random dice = new Random(seed * 0x9E3779B97F4A7C15L);
        Setting setting = Setting.drawn(dice);
        int calls = isReplayed(seed) && setting.isCrowded() ? CALLS_IF_CROWDED_AND_REPLAYED : CALLS;
        List<Step> steps = new ArrayList<>(calls);
        long at = 0;
        for (int i = 0; i < calls; i++) {
            at += dice.nextInt(2 * setting.pauseMicros());
            steps.add(call(at, setting, dice));
            if (!setting.isCalm() && dice.nextDouble() < setting.trouble()) {
                steps.add(disturbance(at, setting, dice));
            }
        }
        return new Plan(seed, setting, List.copyOf(steps));
    }

    Plan with(List<Step> others) {
        return new Plan(seed, setting, List.copyOf(others));
    }

    private static Call call(long at, Setting setting, Random dice) {
        int kinds = dice.nextInt(setting.isCrowded() ? 10 : 24);
        Kind kind = switch (kinds) {
            case 0 -> Kind.SHORT_TTL;
            case 1 -> Kind.LONG_TTL;
            case 2 -> Kind.MIN_HOLD;
            case 3 -> Kind.MAX_HOLD;
            case 4, 5 -> setting.server().runsScripts() ? Kind.FENCED : Kind.PLAIN;
            case 6, 7 -> setting.shares() ? Kind.SHARED : Kind.PLAIN;
            default -> Kind.PLAIN;
        };
        int work = dice.nextInt(3) > 0
                ? dice.nextInt(500)
                : dice.nextInt(20) > 0 ? dice.nextInt(20_000) : dice.nextInt(4_000_000);
        return new Call(
                at,
                dice.nextInt(setting.clients()),
                dice.nextInt(setting.keys()),
                kind,
                dice.nextInt(4) == 0 ? 0 : dice.nextInt(4_000),
                work,
                dice.nextInt(40) == 0 ? dice.nextInt(500) : -1,
                dice.nextInt(20) == 0 ? dice.nextInt(1_000) : -1);
    }

    private static Disturbance disturbance(long at, Setting setting, Random dice) {
        Fault[] faults = dice.nextInt(3) > 0 ? COMMON : RARE;
        int millis = dice.nextInt(dice.nextInt(4) == 0 ? 4_000 : 400);
        return new Disturbance(at, faults[dice.nextInt(faults.length)], dice.nextInt(setting.clients()), millis);
    }

    /**
     * Whether the definition of a lock judges its history, too. Where many calls wait for one lock, that allows many
     * orders, and to try those of a whole run takes the time of ten other runs; so such a run is short.
     */
    boolean isReplayed() {
        return isReplayed(seed);
    }

    private static boolean isReplayed(long seed) {
        return seed % REPLAYED == 0;
    }

    long faults() {
        return steps.stream().filter(Disturbance.class::isInstance).count();
    }
}
