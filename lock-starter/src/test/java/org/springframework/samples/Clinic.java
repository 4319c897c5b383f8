package org.springframework.samples;

import io.distributedlock.spring.DistributedLock;
import org.springframework.data.redis.core.RedisTemplate;

/** An application that lives in a package of Spring's, and extends a class of Spring's. */
public class Clinic extends RedisTemplate<String, String> {

    @DistributedLock(key = "#pet")
    public String visit(String pet) {
        return pet;
    }
}
