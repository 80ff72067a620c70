// SPDX-License-Identifier: Apache-2.0
/** Endpoints for tagged messages, on top of an adapter's tag matching. */
@NullMarked
package org.hcaactors.client.messages;

import org.jspecify.annotations.NullMarked;
