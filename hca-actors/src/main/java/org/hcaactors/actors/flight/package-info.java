// SPDX-License-Identifier: Apache-2.0
/** What happens on a network, as events of the JDK's Flight Recorder. */
@NullMarked
package org.hcaactors.actors.flight;

import org.jspecify.annotations.NullMarked;
