// SPDX-License-Identifier: Apache-2.0
/** Reliable connected transport (RC): requester and responder. */
@NullMarked
package org.hcaactors.adapter.rc;

import org.jspecify.annotations.NullMarked;
