/** Lua scripts with their keys, arguments and replies. */
@NullMarked
package io.distributedlock.redis.script;

import org.jspecify.annotations.NullMarked;
