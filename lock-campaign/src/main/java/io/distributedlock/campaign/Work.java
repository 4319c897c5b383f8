package io.distributedlock.campaign;

/** What the threads of a large campaign do. */
enum Work {
    /** Locks of one key, held alone. */
    PLAIN(""),
    /** Locks of all kinds. */
    KINDS("kinds on ");

    private final String prefix;

    Work(String prefix) {
        this.prefix = prefix;
    }

    /** @param mortal whether the process may be killed */
    Mix mix(boolean mortal) {
        return this == KINDS ? new KindsMix() : new CampaignMix(mortal);
    }

    /** The name of a campaign at this place in its report. */
    String at(String place) {
        return prefix + place;
    }

    /** The name of its folder, without spaces. */
    String folder(String place, long seed) {
        return at(place).replace(' ', '-') + "-" + seed;
    }
}
