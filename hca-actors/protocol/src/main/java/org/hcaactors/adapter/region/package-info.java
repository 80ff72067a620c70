// SPDX-License-Identifier: Apache-2.0
/** The key of a memory region. */
@NullMarked
package org.hcaactors.adapter.region;

import org.jspecify.annotations.NullMarked;
