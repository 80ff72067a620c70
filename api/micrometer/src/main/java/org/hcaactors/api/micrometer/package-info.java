// SPDX-License-Identifier: Apache-2.0
/** Meters of adapters for monitoring. */
@NullMarked
package org.hcaactors.api.micrometer;

import org.jspecify.annotations.NullMarked;
