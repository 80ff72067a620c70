// SPDX-License-Identifier: Apache-2.0
/** Unreliable connected transport (UC). */
@NullMarked
package org.hcaactors.adapter.uc;

import org.jspecify.annotations.NullMarked;
