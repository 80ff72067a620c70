// SPDX-License-Identifier: Apache-2.0
/** Subscriptions: demand is polling, and user code runs in actors of its own, or on the stream's thread if requested. */
@NullMarked
package org.hcaactors.adapter.stream;

import org.jspecify.annotations.NullMarked;
