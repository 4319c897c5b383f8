/** Fencing in a relational database. Needs spring-jdbc, which is optional. */
@NullMarked
package io.distributedlock.spring.jdbc;

import org.jspecify.annotations.NullMarked;
