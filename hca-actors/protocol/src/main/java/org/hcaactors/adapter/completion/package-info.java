// SPDX-License-Identifier: Apache-2.0
/** Completion queues: ring, state machine, notification and grants. */
@NullMarked
package org.hcaactors.adapter.completion;

import org.jspecify.annotations.NullMarked;
