/** The dashboard on a real Prometheus. */
@NullMarked
package com.example.shop.dashboard;

import org.jspecify.annotations.NullMarked;
