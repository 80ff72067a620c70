// SPDX-License-Identifier: Apache-2.0
/** Event queues: wake-ups of completion channels, and asynchronous events, from the adapter to their readers. */
@NullMarked
package org.hcaactors.adapter.event;

import org.jspecify.annotations.NullMarked;
