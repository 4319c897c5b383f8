@NullMarked
package com.example.shop.live;

import org.jspecify.annotations.NullMarked;
