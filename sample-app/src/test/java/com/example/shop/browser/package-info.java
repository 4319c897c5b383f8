/** The pages in a real browser, by what a person does and sees. */
@NullMarked
package com.example.shop.browser;

import org.jspecify.annotations.NullMarked;
