/** The page at {@code /}: what the demonstrations do, while they do it. */
@NullMarked
package com.example.shop.live;

import org.jspecify.annotations.NullMarked;
