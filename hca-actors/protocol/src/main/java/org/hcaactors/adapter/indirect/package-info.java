// SPDX-License-Identifier: Apache-2.0
/** Keys that show memory of other keys: where their bytes lie, and what they let through. */
@NullMarked
package org.hcaactors.adapter.indirect;

import org.jspecify.annotations.NullMarked;
