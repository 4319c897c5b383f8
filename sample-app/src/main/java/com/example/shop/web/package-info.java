/** What all of the shop's HTTP has in common: the start page and the answers to what goes wrong. */
@NullMarked
package com.example.shop.web;

import org.jspecify.annotations.NullMarked;
