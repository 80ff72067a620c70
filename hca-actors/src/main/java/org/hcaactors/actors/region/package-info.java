// SPDX-License-Identifier: Apache-2.0
/** How regions are made, and their handles. */
@NullMarked
package org.hcaactors.actors.region;

import org.jspecify.annotations.NullMarked;
