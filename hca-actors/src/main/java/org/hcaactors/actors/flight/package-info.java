// SPDX-License-Identifier: Apache-2.0
/** Events of JDK Flight Recorder for a network. */
@NullMarked
package org.hcaactors.actors.flight;

import org.jspecify.annotations.NullMarked;
