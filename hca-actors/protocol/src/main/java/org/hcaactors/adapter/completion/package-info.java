// SPDX-License-Identifier: Apache-2.0
/** Completion queues: the ring machine, its actor, its handle. */
@NullMarked
package org.hcaactors.adapter.completion;

import org.jspecify.annotations.NullMarked;
