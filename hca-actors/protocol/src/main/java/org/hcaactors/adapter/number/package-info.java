// SPDX-License-Identifier: Apache-2.0
/** Allocators of an adapter's 24-bit numbers, their first values, and checks of numeric limits. */
@NullMarked
package org.hcaactors.adapter.number;

import org.jspecify.annotations.NullMarked;
