/** What a web request is answered whose lock could not be had. */
@NullMarked
package io.distributedlock.spring.web;

import org.jspecify.annotations.NullMarked;
