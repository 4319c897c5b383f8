/** The settings of an application: their names, defaults and checks. */
@NullMarked
package io.distributedlock.spring.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
