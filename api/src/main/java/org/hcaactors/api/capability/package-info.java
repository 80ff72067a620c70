// SPDX-License-Identifier: Apache-2.0
/** Capabilities of adapter models, in groups by feature, and quirks: behavior in which models differ. */
@NullMarked
package org.hcaactors.api.capability;

import org.jspecify.annotations.NullMarked;
