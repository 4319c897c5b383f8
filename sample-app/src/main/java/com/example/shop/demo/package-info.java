/**
 * Things to watch: a rush of buyers, with and without a lock, and a report that keeps its lock for as long as it runs.
 */
@NullMarked
package com.example.shop.demo;

import org.jspecify.annotations.NullMarked;
