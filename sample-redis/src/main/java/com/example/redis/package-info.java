/** A Redis for trying out the sample shop, started where no other is configured. Applications have a Redis. */
@NullMarked
package com.example.redis;

import org.jspecify.annotations.NullMarked;
