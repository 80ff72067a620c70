// SPDX-License-Identifier: Apache-2.0
/** Subscriptions: demand is polling, and user code runs in actors of its own, or in its stream's where it asked for that. */
@NullMarked
package org.hcaactors.adapter.stream;

import org.jspecify.annotations.NullMarked;
