// SPDX-License-Identifier: Apache-2.0
/** Event queues: wake-ups of completion channels and asynchronous events, from the adapter to whoever asks for them. */
@NullMarked
package org.hcaactors.adapter.event;

import org.jspecify.annotations.NullMarked;
