/** Tests of the embedded Redis. */
@NullMarked
package com.example.shop.embedded;

import org.jspecify.annotations.NullMarked;
