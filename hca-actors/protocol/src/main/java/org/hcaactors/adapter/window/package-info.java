// SPDX-License-Identifier: Apache-2.0
/** The key of a memory window. */
@NullMarked
package org.hcaactors.adapter.window;

import org.jspecify.annotations.NullMarked;
