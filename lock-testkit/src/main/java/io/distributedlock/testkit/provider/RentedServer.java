package io.distributedlock.testkit.provider;

/** A profile, or two together, with what locks are expected to do there. */
public enum RentedServer {
    BARE(Profiles.BARE, Wakes.QUEUE, true),
    ALIBABA_PROXY(Profiles.ALIBABA_PROXY, Wakes.POLLING, true),
    ALIBABA_OLD_PROXY(Profiles.ALIBABA_OLD_PROXY, Wakes.POLLING, true),
    TAIR_PROXY(Profiles.ALIBABA_PROXY.with(Profiles.TAIR_COMMANDS), Wakes.POLLING, true),
    TENCENT(Profiles.TENCENT, Wakes.POLLING, true),
    HUAWEI_PROXY(Profiles.HUAWEI_PROXY, Wakes.POLLING, true),
    ELASTICACHE_SERVERLESS(Profiles.ELASTICACHE_SERVERLESS, Wakes.POLLING, true),
    REDIS_ENTERPRISE(Profiles.REDIS_ENTERPRISE, Wakes.QUEUE, true),
    REDIS_ENTERPRISE_OLD(Profiles.REDIS_ENTERPRISE_OLD, Wakes.POLLING, true),
    DRAGONFLY(Profiles.DRAGONFLY, Wakes.QUEUE, true),
    GARNET(Profiles.GARNET, Wakes.POLLING, true),
    REDIS_8_4(Profiles.REDIS_8_4_COMMANDS, Wakes.QUEUE, true),
    TAIR(Profiles.TAIR_COMMANDS, Wakes.QUEUE, true),
    REDIS_8_4_WITHOUT_SCRIPTS(Profiles.NO_SCRIPTS.with(Profiles.REDIS_8_4_COMMANDS), Wakes.POLLING, false),
    TAIR_WITHOUT_SCRIPTS(Profiles.NO_SCRIPTS.with(Profiles.TAIR_COMMANDS), Wakes.POLLING, false),
    OLD_TAIR_WITHOUT_SCRIPTS(Profiles.ALIBABA_WITHOUT_SCRIPTS.with(Profiles.TAIR_COMMANDS), Wakes.POLLING, false),
    REDIS_8_4_WITHOUT_RIGHT_TO_SCRIPTS(
            Profiles.NO_RIGHT_TO_SCRIPTS.with(Profiles.REDIS_8_4_COMMANDS), Wakes.POLLING, false),
    NO_SCRIPTS(Profiles.NO_SCRIPTS, Wakes.NONE, false),
    NO_RIGHT_TO_SCRIPTS(Profiles.NO_RIGHT_TO_SCRIPTS, Wakes.NONE, false);

    /** How waiters are woken, or that no lock is granted. */
    public enum Wakes {
        QUEUE,
        POLLING,
        NONE
    }

    private final Profile profile;
    private final Wakes wakes;
    private final boolean scripts;

    RentedServer(Profile profile, Wakes wakes, boolean scripts) {
        this.profile = profile;
        this.wakes = wakes;
        this.scripts = scripts;
    }

    public Profile profile() {
        return profile;
    }

    public Wakes wakes() {
        return wakes;
    }

    /** Whether there are fencing tokens and shares. */
    public boolean runsScripts() {
        return scripts;
    }
}
