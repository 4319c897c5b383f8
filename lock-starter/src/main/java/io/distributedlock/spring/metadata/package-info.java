/** The annotation of a method, read once and turned into what its calls have to do. Not for applications. */
@NullMarked
package io.distributedlock.spring.metadata;

import org.jspecify.annotations.NullMarked;
