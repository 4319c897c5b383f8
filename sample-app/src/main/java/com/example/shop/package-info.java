/** A small shop that takes orders under distributed locks. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
