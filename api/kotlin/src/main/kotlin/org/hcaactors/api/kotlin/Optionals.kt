// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.util.Optional
import java.util.OptionalInt
import java.util.OptionalLong

// Optional values as nullable values, so that `?.` and `?:` work: `completion.immediate().orNull()`.

/** Returns the value, or null if there is none. */
fun <T : Any> Optional<T>.orNull(): T? = orElse(null)

/** Returns the value, or null if there is none. */
fun OptionalInt.orNull(): Int? = if (isPresent) asInt else null

/** Returns the value, or null if there is none. */
fun OptionalLong.orNull(): Long? = if (isPresent) asLong else null
