// SPDX-License-Identifier: Apache-2.0
/** Shared receive queues: one actor each, from which queue pairs take a buffer a message. */
@NullMarked
package org.hcaactors.adapter.srq;

import org.jspecify.annotations.NullMarked;
