// SPDX-License-Identifier: Apache-2.0
/** Analysis of the traffic in a capture, from any sender. */
@NullMarked
package org.hcaactors.views.capture;

import org.jspecify.annotations.NullMarked;
