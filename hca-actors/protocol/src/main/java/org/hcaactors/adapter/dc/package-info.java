// SPDX-License-Identifier: Apache-2.0
/** Dynamically connected transport (DC): initiators, targets and their responders. */
@NullMarked
package org.hcaactors.adapter.dc;

import org.jspecify.annotations.NullMarked;
