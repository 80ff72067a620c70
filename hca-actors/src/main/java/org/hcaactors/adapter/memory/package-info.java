// SPDX-License-Identifier: Apache-2.0
/** Host memory, keys, translators and the leases that they grant. */
@NullMarked
package org.hcaactors.adapter.memory;

import org.jspecify.annotations.NullMarked;
