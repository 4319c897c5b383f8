/**
 * A Redis for trying out the shop, started where no other is configured. Applications don't need this package: they
 * have a Redis.
 */
@NullMarked
package com.example.shop.embedded;

import org.jspecify.annotations.NullMarked;
