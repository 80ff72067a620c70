// SPDX-License-Identifier: Apache-2.0
/** Atomics: what they make of a value, how they travel, and among whom they are atomic. */
@NullMarked
package org.hcaactors.adapter.atomic;

import org.jspecify.annotations.NullMarked;
