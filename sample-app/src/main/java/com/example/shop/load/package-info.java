/** A lease that follows how busy the machine and Redis are. */
@NullMarked
package com.example.shop.load;

import org.jspecify.annotations.NullMarked;
