// SPDX-License-Identifier: Apache-2.0
/** How windows are made, and their handles. */
@NullMarked
package org.hcaactors.actors.window;

import org.jspecify.annotations.NullMarked;
