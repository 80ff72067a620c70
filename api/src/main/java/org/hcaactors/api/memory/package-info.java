// SPDX-License-Identifier: Apache-2.0
/** Host memory, regions, windows, keys and rights. */
@NullMarked
package org.hcaactors.api.memory;

import org.jspecify.annotations.NullMarked;
