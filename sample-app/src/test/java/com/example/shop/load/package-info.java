@NullMarked
package com.example.shop.load;

import org.jspecify.annotations.NullMarked;
