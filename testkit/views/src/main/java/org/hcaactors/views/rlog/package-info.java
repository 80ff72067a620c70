// SPDX-License-Identifier: Apache-2.0
/** Recorded runs: a JSON text sequence (RFC 7464) with one event per text. */
@NullMarked
package org.hcaactors.views.rlog;

import org.jspecify.annotations.NullMarked;
