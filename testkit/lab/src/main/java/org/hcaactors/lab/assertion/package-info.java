// SPDX-License-Identifier: Apache-2.0
/** Assertions in the terms of the protocol. */
@NullMarked
package org.hcaactors.lab.assertion;

import org.jspecify.annotations.NullMarked;
