/** What differs between Spring Boot 3 and 4 so much that it has to be compiled against the older one. */
@NullMarked
package io.distributedlock.spring.boot3;

import org.jspecify.annotations.NullMarked;
