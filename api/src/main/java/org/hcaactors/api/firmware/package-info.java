// SPDX-License-Identifier: Apache-2.0
/** Firmware settings of an adapter: defaults, values in effect, and values for the next start, as in {@code mlxconfig}. */
@NullMarked
package org.hcaactors.api.firmware;

import org.jspecify.annotations.NullMarked;
