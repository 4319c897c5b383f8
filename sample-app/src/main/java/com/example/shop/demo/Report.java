package com.example.shop.demo;

import java.util.List;

/**
 * A finished report.
 *
 * @param redisKey where its lock was in Redis
 * @param pttlMillis how long the lock would still have lived, at each step of the report
 */
public record Report(long seconds, String redisKey, List<Long> pttlMillis) {}
