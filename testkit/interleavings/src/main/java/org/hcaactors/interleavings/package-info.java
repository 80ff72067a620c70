// SPDX-License-Identifier: Apache-2.0
/** Threads that meet, in every order that there is: what tests of several modules stand on. */
@NullMarked
package org.hcaactors.interleavings;

import org.jspecify.annotations.NullMarked;
