// SPDX-License-Identifier: Apache-2.0
/** Handles of created objects, and reports of those left open. */
@NullMarked
package org.hcaactors.api.handle;

import org.jspecify.annotations.NullMarked;
