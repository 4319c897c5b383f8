/** Products, their stock, and the orders that use it up. */
@NullMarked
package com.example.shop.orders;

import org.jspecify.annotations.NullMarked;
