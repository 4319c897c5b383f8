/** Tests of the embedded Redis. */
@NullMarked
package com.example.redis;

import org.jspecify.annotations.NullMarked;
