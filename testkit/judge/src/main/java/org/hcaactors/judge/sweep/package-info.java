// SPDX-License-Identifier: Apache-2.0
/** Many seeds, mixed traffic over every transport, swarms of faults: what the invariants are held against. */
@NullMarked
package org.hcaactors.judge.sweep;

import org.jspecify.annotations.NullMarked;
