// SPDX-License-Identifier: Apache-2.0
/** Shared receive queues: their receives, slots and tag lists. Queue pairs take one receive for each message. */
@NullMarked
package org.hcaactors.adapter.srq;

import org.jspecify.annotations.NullMarked;
