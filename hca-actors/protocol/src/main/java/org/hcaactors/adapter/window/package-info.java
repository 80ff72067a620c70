// SPDX-License-Identifier: Apache-2.0
/** Keys of memory windows. */
@NullMarked
package org.hcaactors.adapter.window;

import org.jspecify.annotations.NullMarked;
