// SPDX-License-Identifier: Apache-2.0
/** Deterministic worlds: one thread, one seed, virtual nanoseconds. */
@NullMarked
package org.hcaactors.lab.world;

import org.jspecify.annotations.NullMarked;
