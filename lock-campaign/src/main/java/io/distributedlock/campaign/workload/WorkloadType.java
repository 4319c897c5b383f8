package io.distributedlock.campaign.workload;

/** What the threads of a large campaign do. */
public enum WorkloadType {
    /** Locks of one key, held alone. */
    PLAIN(""),
    /** The same without fencing tokens. */
    UNFENCED("unfenced on "),
    /** Locks of all kinds. */
    KINDS("kinds on ");

    private final String prefix;

    WorkloadType(String prefix) {
        this.prefix = prefix;
    }

    /** @param killable whether the process may be killed */
    public OperationMix mix(boolean killable) {
        OperationMix plain = new CampaignMix(killable);
        return switch (this) {
            case PLAIN -> plain;
            case UNFENCED ->
                (random, contended, ownKey) ->
                        plain.next(random, contended, ownKey).withoutToken();
            case KINDS -> new AllKindsMix();
        };
    }

    /** The name of a campaign at this place in its report. */
    public String at(String place) {
        return prefix + place;
    }

    /** The name of its folder, without spaces. */
    public String folder(String place, long seed) {
        return at(place).replace(' ', '-') + "-" + seed;
    }
}
