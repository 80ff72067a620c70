// SPDX-License-Identifier: Apache-2.0
/** Unreliable datagram transport (UD). */
@NullMarked
package org.hcaactors.adapter.ud;

import org.jspecify.annotations.NullMarked;
