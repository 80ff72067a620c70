// SPDX-License-Identifier: Apache-2.0
/** Access to memory: leases, and the cache of leases of one queue pair. */
@NullMarked
package org.hcaactors.adapter.lease;

import org.jspecify.annotations.NullMarked;
