// SPDX-License-Identifier: Apache-2.0
/** Runs many seeds of mixed traffic over every transport under swarms of faults, checked by the invariants. */
@NullMarked
package org.hcaactors.judge.sweep;

import org.jspecify.annotations.NullMarked;
