// SPDX-License-Identifier: Apache-2.0
/** Atomics: their operation, wire format, and scope. */
@NullMarked
package org.hcaactors.adapter.atomic;

import org.jspecify.annotations.NullMarked;
