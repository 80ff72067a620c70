// SPDX-License-Identifier: Apache-2.0
/** The 24-bit numbers that an adapter gives out, and where they begin. */
@NullMarked
package org.hcaactors.adapter.number;

import org.jspecify.annotations.NullMarked;
