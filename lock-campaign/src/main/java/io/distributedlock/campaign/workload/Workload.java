package io.distributedlock.campaign.workload;

import io.distributedlock.campaign.client.Timing;

/**
 * The clients of a run, and what they do.
 *
 * @param clients how many clients of this JVM
 * @param threads how many threads each of them has
 * @param contended how many keys all threads use
 * @param ownKeys how many more are each for one thread
 */
public record Workload(int clients, int threads, int contended, int ownKeys, Timing timing, OperationMix mix) {}
