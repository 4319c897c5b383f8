package io.distributedlock.campaign;

/**
 * Who takes part in a run, and how.
 *
 * @param seats how many clients of this JVM
 * @param threads how many threads each of them has
 * @param contended how many keys are for everybody
 * @param ownKeys how many more are each for one thread
 */
record Setting(int seats, int threads, int contended, int ownKeys, Timing timing, Mix mix) {}
