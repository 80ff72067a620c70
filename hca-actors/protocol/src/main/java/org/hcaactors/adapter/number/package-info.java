// SPDX-License-Identifier: Apache-2.0
/** The 24-bit numbers that an adapter gives out, where they begin, and how large a number may be that it is given. */
@NullMarked
package org.hcaactors.adapter.number;

import org.jspecify.annotations.NullMarked;
