// SPDX-License-Identifier: Apache-2.0
/** Unreliable datagrams. */
@NullMarked
package org.hcaactors.adapter.ud;

import org.jspecify.annotations.NullMarked;
