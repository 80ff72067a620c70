// SPDX-License-Identifier: Apache-2.0
/** What an adapter's firmware is set to: by default, now, and from its next start on, as {@code mlxconfig} has it. */
@NullMarked
package org.hcaactors.api.firmware;

import org.jspecify.annotations.NullMarked;
