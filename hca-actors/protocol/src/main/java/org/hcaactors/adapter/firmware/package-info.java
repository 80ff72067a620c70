// SPDX-License-Identifier: Apache-2.0
/** What an adapter's firmware is set to, what follows from it, and how it is written down. Machines alone. */
@NullMarked
package org.hcaactors.adapter.firmware;

import org.jspecify.annotations.NullMarked;
