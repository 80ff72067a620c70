// SPDX-License-Identifier: Apache-2.0
/** Memory windows: blueprints and handles. */
@NullMarked
package org.hcaactors.actors.window;

import org.jspecify.annotations.NullMarked;
