/** The shop, seen from outside: over HTTP, beside other processes, and without its Redis. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
