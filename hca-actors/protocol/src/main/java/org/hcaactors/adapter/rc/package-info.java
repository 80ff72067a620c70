// SPDX-License-Identifier: Apache-2.0
/** Reliable connected. */
@NullMarked
package org.hcaactors.adapter.rc;

import org.jspecify.annotations.NullMarked;
