// SPDX-License-Identifier: Apache-2.0
/** Use of memory: what a lease answers and moves, and the leases that one queue pair holds. */
@NullMarked
package org.hcaactors.adapter.lease;

import org.jspecify.annotations.NullMarked;
