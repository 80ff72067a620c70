// SPDX-License-Identifier: Apache-2.0
/** Summaries of artificial captures: cut, damaged, or of traffic that no stack sends. */
@NullMarked
package org.hcaactors.lab.capture;

import org.jspecify.annotations.NullMarked;
