// SPDX-License-Identifier: Apache-2.0
/** Keys of memory regions. */
@NullMarked
package org.hcaactors.adapter.region;

import org.jspecify.annotations.NullMarked;
